#include "ui/view_tile.h"

#include <QPainter>
#include <QPainterPath>

#include "ui/theme.h"

namespace threefold::ui {

ViewTile::ViewTile(QWidget* parent) : QAbstractButton(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
}

void ViewTile::setImage(const QImage& image) {
    image_ = image;
    update();
}

void ViewTile::setBadge(const QString& badge) {
    badge_ = badge;
    update();
}

void ViewTile::setMark(Mark mark) {
    if (mark == mark_) return;
    mark_ = mark;
    update();
}

void ViewTile::paintEvent(QPaintEvent*) {
    const ThemeColours colours = themeColours(palette());
    QPainter painter(this);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
    const qreal radius = width() > 60 ? 6 : 4;
    const QRectF card = QRectF(rect()).adjusted(2, 2, -2, -2);
    QPainterPath shape;
    shape.addRoundedRect(card, radius, radius);
    painter.fillPath(shape, QColor(image_.isNull() && colours.dark ? 0x2e3138 : 0xffffff));
    painter.save();
    painter.setClipPath(shape);
    if (!image_.isNull()) {
        QSizeF size = QSizeF(image_.size()).scaled(card.size(), Qt::KeepAspectRatio);
        QRectF target(QPointF(0, 0), size);
        target.moveCenter(card.center());
        painter.drawImage(target, image_);
    }
    painter.restore();

    if (!badge_.isEmpty()) {
        painter.setFont(numberFont(font()));
        QRectF box = painter.fontMetrics().boundingRect(badge_);
        box.setSize(box.size() + QSizeF(12, 4));
        box.moveTopLeft(card.topLeft() + QPointF(6, 6));
        painter.setPen(Qt::NoPen);
        painter.setBrush(QColor(20, 22, 26, 170));
        painter.drawRoundedRect(box, 4, 4);
        painter.setPen(QColor(0xffffff));
        painter.drawText(box, Qt::AlignCenter, badge_);
    }

    painter.setBrush(Qt::NoBrush);
    QColor edge = colours.dark ? QColor(0, 0, 0, 0) : colours.border;
    qreal thickness = 1;
    if (underMouse()) edge = colours.muted;
    if (mark_ != Mark::none) {
        edge = colours.accent;
        thickness = mark_ == Mark::selected ? 3 : 2;
    }
    painter.setPen(QPen(edge, thickness));
    painter.drawRoundedRect(card, radius, radius);
    if (hasFocus()) {
        painter.setPen(QPen(colours.accent, 1, Qt::DotLine));
        painter.drawRoundedRect(card.adjusted(4, 4, -4, -4), radius - 2, radius - 2);
    }
}

void ViewTile::enterEvent(QEnterEvent* event) {
    QAbstractButton::enterEvent(event);
    update();
}

void ViewTile::leaveEvent(QEvent* event) {
    QAbstractButton::leaveEvent(event);
    update();
}

}  // namespace threefold::ui
