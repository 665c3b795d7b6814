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
    if (image.cacheKey() == image_.cacheKey()) return;
    image_ = image;
    update();
}

void ViewTile::setBadge(const QString& badge) {
    if (badge == badge_) return;
    badge_ = badge;
    update();
}

void ViewTile::setMark(Mark mark) {
    if (mark == mark_) return;
    mark_ = mark;
    update();
}

void ViewTile::setOverlay(const QImage& overlay) {
    if (overlay.isNull() && overlay_.isNull()) return;
    overlay_ = overlay;
    update();
}

void ViewTile::setNote(const QString& note) {
    if (note == note_) return;
    note_ = note;
    update();
}

void ViewTile::setDropTarget(bool target) {
    if (target == dropTarget_) return;
    dropTarget_ = target;
    update();
}

QRect ViewTile::photographRect() const {
    if (image_.isNull()) return {};
    const QRect card = rect().adjusted(2, 2, -2, -2);
    QRect target(QPoint(0, 0), image_.size().scaled(card.size(), Qt::KeepAspectRatio));
    target.moveCenter(card.center());
    return target;
}

void ViewTile::drawBadge(QPainter& painter, const QString& text, Qt::Corner corner) const {
    if (text.isEmpty()) return;
    constexpr int kInset = 8;
    QRectF box = painter.fontMetrics().boundingRect(text);
    box.setSize(box.size() + QSizeF(12, 4));
    if (corner == Qt::TopLeftCorner)
        box.moveTopLeft(QPointF(kInset, kInset));
    else
        box.moveBottomRight(QPointF(width() - kInset, height() - kInset));
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(20, 22, 26, 170));
    painter.drawRoundedRect(box, 4, 4);
    painter.setPen(QColor(0xffffff));
    painter.drawText(box, Qt::AlignCenter, text);
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
        painter.drawImage(photographRect(), image_);
        if (!overlay_.isNull()) painter.drawImage(photographRect(), overlay_);
    }
    if (dropTarget_) {
        QColor tint = colours.accent;
        tint.setAlphaF(0.25F);
        painter.fillRect(rect(), tint);
    }
    painter.restore();

    painter.setFont(numberFont(font()));
    drawBadge(painter, badge_, Qt::TopLeftCorner);
    drawBadge(painter, note_, Qt::BottomRightCorner);

    painter.setBrush(Qt::NoBrush);
    QColor edge = colours.dark ? QColor(0, 0, 0, 0) : colours.border;
    qreal thickness = 1;
    if (underMouse()) edge = colours.muted;
    if (mark_ != Mark::none || dropTarget_) {
        edge = colours.accent;
        thickness = mark_ == Mark::selected || dropTarget_ ? 3 : 2;
    }
    painter.setPen(QPen(edge, thickness));
    painter.drawRoundedRect(card, radius, radius);
    if (hasFocus()) {
        painter.setPen(QPen(colours.accent, 2));
        painter.drawRoundedRect(card.adjusted(4, 4, -4, -4), radius - 2, radius - 2);
    }
}

void ViewTile::resizeEvent(QResizeEvent* event) {
    QAbstractButton::resizeEvent(event);
    Q_EMIT resized();
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
