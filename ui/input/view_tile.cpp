#include "ui/input/view_tile.h"

#include <algorithm>

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include "ui/input/outline_picture.h"
#include "ui/style/theme.h"

namespace threefold::ui {

ViewTile::ViewTile(QWidget* parent) : QAbstractButton(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
}

void ViewTile::setImage(const QImage& image) {
    if (image.cacheKey() == image_.cacheKey()) return;
    image_ = image;
    object_ = zoomed_ ? foregroundBounds(image) : QRectF();
    update();
}

void ViewTile::setOverlay(const QImage& overlay) {
    if (overlay.isNull() && overlay_.isNull()) return;
    overlay_ = overlay;
    update();
}

void ViewTile::setNote(const QString& note, const QString& details) {
    details_ = details;
    change(note_, note);
}

bool ViewTile::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || details_.isEmpty())
        return QAbstractButton::event(event);
    const QString text =
        toolTip().isEmpty() ? details_ : toolTip() + QStringLiteral("\n") + details_;
    QToolTip::showText(static_cast<const QHelpEvent*>(event)->globalPos(), text, this);
    return true;
}

QRect ViewTile::photographRect() const {
    if (image_.isNull()) return {};
    const QRectF card = rect().adjusted(2, 2, -2, -2);
    const QSizeF whole(image_.size());
    qreal scale = std::min(card.width() / whole.width(), card.height() / whole.height());
    QPointF middle(whole.width() / 2, whole.height() / 2);
    if (!object_.isNull()) {
        constexpr qreal kMargin = 1.3;
        constexpr qreal kMostZoom = 2.2;
        const qreal wanted = std::min(card.width() / (object_.width() * kMargin),
                                      card.height() / (object_.height() * kMargin));
        scale *= std::clamp(wanted / scale, 1.0, kMostZoom);
        // The photograph's border stays at or outside the card's.
        const auto clamped = [](qreal centre, qreal size, qreal room) {
            return room >= size ? size / 2 : std::clamp(centre, room / 2, size - room / 2);
        };
        middle = {clamped(object_.center().x(), whole.width(), card.width() / scale),
                  clamped(object_.center().y(), whole.height(), card.height() / scale)};
    }
    return {(card.center() - middle * scale).toPoint(), (whole * scale).toSize()};
}

QRectF ViewTile::drawBadge(QPainter& painter, QString text, Qt::Corner corner, int below,
                           QColor ground) const {
    if (text.isEmpty()) return {};
    constexpr int kInset = 6;
    constexpr QSizeF kPadding(10, 4);
    const auto boxOf = [&](const QString& shown) {
        QRectF box = painter.fontMetrics().boundingRect(shown);
        box.setSize(box.size() + kPadding);
        return box;
    };
    // The numbers alone where their name does not fit: "0.89 → 0.99".
    if (boxOf(text).width() > width() - 2 * kInset) text = text.section(' ', 1);
    QRectF box = boxOf(text);
    if (corner == Qt::TopLeftCorner)
        box.moveTopLeft(QPointF(kInset, kInset + below));
    else
        box.moveBottomRight(QPointF(width() - kInset, height() - kInset));
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRoundedRect(box, 4, 4);
    painter.setPen(QColor(0xffffff));
    painter.drawText(box, Qt::AlignCenter, text);
    return box;
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
    const QColor shade(20, 22, 26, 190);
    const QColor warning(0x8a4b00);  // white stands out from it by 6.9:1
    const QRectF first = drawBadge(painter, badge_, Qt::TopLeftCorner, 0, shade);
    drawBadge(painter, warning_, Qt::TopLeftCorner, static_cast<int>(first.height()) + 2, warning);
    drawBadge(painter, note_, Qt::BottomRightCorner, 0, shade);

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

}  // namespace threefold::ui
