#include "ui/input/view_tiles.h"

#include <algorithm>
#include <utility>

#include <QApplication>
#include <QGraphicsOpacityEffect>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
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
    foreground_ = zoomed_ ? foregroundBounds(image) : QRectF();
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
    const QSizeF imageSize(image_.size());
    qreal scale = std::min(card.width() / imageSize.width(), card.height() / imageSize.height());
    QPointF imageCentre(imageSize.width() / 2, imageSize.height() / 2);
    if (!foreground_.isNull()) {
        constexpr qreal kMargin = 1.3;
        constexpr qreal kMaxZoom = 2.2;
        const qreal fitScale = std::min(card.width() / (foreground_.width() * kMargin),
                                        card.height() / (foreground_.height() * kMargin));
        scale *= std::clamp(fitScale / scale, 1.0, kMaxZoom);
        // Clamps the centre so that the photograph covers the card; centres the photograph where it
        // is too small.
        const auto clamped = [](qreal centre, qreal size, qreal room) {
            return room >= size ? size / 2 : std::clamp(centre, room / 2, size - room / 2);
        };
        imageCentre = {
            clamped(foreground_.center().x(), imageSize.width(), card.width() / scale),
            clamped(foreground_.center().y(), imageSize.height(), card.height() / scale)};
    }
    return {(card.center() - imageCentre * scale).toPoint(), (imageSize * scale).toSize()};
}

QRectF ViewTile::drawBadge(QPainter& painter, QString text, Qt::Corner corner, int below,
                           QColor ground) const {
    if (text.isEmpty()) return {};
    constexpr int kSmall = 60;
    const int inset = width() < kSmall ? 2 : 6;
    const QSizeF padding(width() < kSmall ? 4 : 10, 4);
    const auto boxOf = [&](const QString& shown) {
        QRectF box = painter.fontMetrics().boundingRect(shown);
        box.setSize(box.size() + padding);
        return box;
    };
    // A tile too narrow for "IoU 0.89 → 0.99" shows "0.89 → 0.99", or else "0.99"; a tile too
    // narrow for "view 3 · ref." shows "3 · ref.", or else "3".
    const QString oneNumber =
        corner == Qt::TopLeftCorner ? text.section(' ', 1, 1) : text.section(' ', -1);
    for (const QString& shorter : {text.section(' ', 1), oneNumber})
        if (boxOf(text).width() > width() - 2 * inset) text = shorter;
    QRectF box = boxOf(text);
    if (corner == Qt::TopLeftCorner)
        box.moveTopLeft(QPointF(inset, inset + below));
    else
        box.moveBottomRight(QPointF(width() - inset, height() - inset));
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
    const QColor warning(0x8a4b00);  // contrast to white 6.9:1
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

int ViewTiles::indexOf(const ViewTile* tile) const {
    const auto match = std::find(tiles_.begin(), tiles_.end(), tile);
    return match == tiles_.end() ? -1 : static_cast<int>(match - tiles_.begin());
}

int ViewTiles::indexAt(QPoint global) const {
    for (const ViewTile* tile : tiles_)
        if (tile->isVisible() && tile->rect().contains(tile->mapFromGlobal(global)))
            return indexOf(tile);
    return -1;
}

void ViewTiles::setCount(std::size_t count) {
    while (tiles_.size() > count) {
        tiles_.back()->hide();
        tiles_.back()
            ->deleteLater();  // the tile may still be handling the key or click that removed it
        tiles_.pop_back();
    }
    while (tiles_.size() < count) {
        auto* tile = new ViewTile(this);
        const int index = static_cast<int>(tiles_.size());
        connect(tile, &ViewTile::clicked, this, [this, index] { Q_EMIT chosen(index); });
        tile->installEventFilter(this);
        tile->show();
        tiles_.push_back(tile);
        Q_EMIT tileAdded(tile);
    }
}

int ViewTiles::stepOf(int key) const {
    return key == Qt::Key_Left    ? -1
           : key == Qt::Key_Right ? 1
           : key == Qt::Key_Up    ? -columns()
           : key == Qt::Key_Down  ? columns()
                                  : 0;
}

ViewDrag::ViewDrag(std::function<Gesture(const ViewTile&)> choose, QObject* parent)
    : QObject(parent), choose_(std::move(choose)) {}

bool ViewDrag::eventFilter(QObject* watched, QEvent* event) {
    auto* tile = qobject_cast<ViewTile*>(watched);
    if (tile == nullptr) return false;
    switch (event->type()) {
        case QEvent::MouseButtonPress:
        case QEvent::MouseButtonDblClick: {  // a press shortly after a click
            const auto& mouse = static_cast<QMouseEvent&>(*event);
            if (mouse.button() != Qt::LeftButton) return false;
            tile_ = tile;
            pressed_ = last_ = mouse.globalPosition().toPoint();
            cancelled_ = false;
            return false;
        }
        case QEvent::MouseMove: {
            const auto& mouse = static_cast<QMouseEvent&>(*event);
            return mouse.buttons().testFlag(Qt::LeftButton) &&
                   move(*tile, mouse.globalPosition().toPoint());
        }
        case QEvent::MouseButtonRelease: {
            const auto& mouse = static_cast<QMouseEvent&>(*event);
            if (mouse.button() != Qt::LeftButton) return false;
            const bool accepted = active_ || cancelled_;
            if (active_) finish(mouse.globalPosition().toPoint(), true);
            tile_ = nullptr;
            cancelled_ = false;
            return accepted;
        }
        case QEvent::ShortcutOverride:
            if (active_ && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) event->accept();
            return false;
        case QEvent::KeyPress:
            if (!active_ || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape) return false;
            cancelled_ = true;
            finish(last_, false);
            return true;
        case QEvent::Hide:
            if (active_ && tile == tile_) finish(last_, false);
            return false;
        default:
            return false;
    }
}

bool ViewDrag::move(ViewTile& tile, QPoint position) {
    if (cancelled_) return true;
    if (tile_ != &tile) return false;
    if (!active_) {
        const Gesture gesture = choose_(tile);
        // A scrub starts outside the pressed tile, because a release inside that tile is a click.
        const bool farEnough =
            gesture == Gesture::scrub
                ? !tile.rect().contains(tile.mapFromGlobal(position))
                : (position - pressed_).manhattanLength() >= QApplication::startDragDistance();
        if (!farEnough) return true;
        active_ = true;
        gesture_ = gesture;
        tile.setDown(false);
        if (gesture == Gesture::drop) showGhost(tile, position);
        Q_EMIT started(gesture, &tile);
    }
    const QPoint step = position - std::exchange(last_, position);
    if (ghost_)
        ghost_->move(ghost_->parentWidget()->mapFromGlobal(position) - ghost_->rect().center());
    Q_EMIT moved(gesture_, &tile, position, step);
    return true;
}

void ViewDrag::finish(QPoint position, bool dropped) {
    active_ = false;
    if (ghost_) ghost_->deleteLater();
    ghost_ = nullptr;
    Q_EMIT ended(gesture_, tile_, position, dropped);
}

void ViewDrag::showGhost(ViewTile& tile, QPoint position) {
    constexpr int kGhostSide = 64;
    constexpr qreal kOpacity = 0.8;
    auto* ghost = new QLabel(tile.window());
    ghost->setAttribute(Qt::WA_TransparentForMouseEvents);
    const qreal ratio = tile.devicePixelRatioF();
    QPixmap picture = QPixmap::fromImage(tile.image().scaled(
        QSize(kGhostSide, kGhostSide) * ratio, Qt::KeepAspectRatio, Qt::SmoothTransformation));
    picture.setDevicePixelRatio(ratio);
    ghost->setPixmap(picture);
    auto* effect = new QGraphicsOpacityEffect(ghost);
    effect->setOpacity(kOpacity);
    ghost->setGraphicsEffect(effect);
    ghost->adjustSize();
    ghost->move(tile.window()->mapFromGlobal(position) - ghost->rect().center());
    ghost->show();
    ghost->raise();
    ghost_ = ghost;
}

}  // namespace threefold::ui
