#include "ui/input/view_drag.h"

#include <utility>

#include <QApplication>
#include <QGraphicsOpacityEffect>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>

#include "ui/input/view_tile.h"

namespace threefold::ui {

ViewDrag::ViewDrag(std::function<Gesture(const ViewTile&)> choose, QObject* parent)
    : QObject(parent), choose_(std::move(choose)) {}

void ViewDrag::watch(ViewTile& tile) {
    tile.installEventFilter(this);
}

bool ViewDrag::eventFilter(QObject* watched, QEvent* event) {
    auto* tile = qobject_cast<ViewTile*>(watched);
    if (tile == nullptr) return false;
    switch (event->type()) {
        case QEvent::MouseButtonPress:
        case QEvent::MouseButtonDblClick: {  // a press soon after a click
            const auto& mouse = static_cast<QMouseEvent&>(*event);
            if (mouse.button() != Qt::LeftButton) return false;
            tile_ = tile;
            pressed_ = last_ = mouse.globalPosition().toPoint();
            calledOff_ = false;
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
            const bool taken = active_ || calledOff_;
            if (active_) finish(mouse.globalPosition().toPoint(), true);
            tile_ = nullptr;
            calledOff_ = false;
            return taken;
        }
        case QEvent::ShortcutOverride:
            if (active_ && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) event->accept();
            return false;
        case QEvent::KeyPress:
            if (!active_ || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape) return false;
            calledOff_ = true;
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
    if (calledOff_) return true;
    if (tile_ != &tile) return false;
    if (!active_) {
        const Gesture gesture = choose_(tile);
        // Running over the tiles begins with the next one: the pressed one may still be clicked.
        const bool far =
            gesture == Gesture::scrub
                ? !tile.rect().contains(tile.mapFromGlobal(position))
                : (position - pressed_).manhattanLength() >= QApplication::startDragDistance();
        if (!far) return true;
        active_ = true;
        gesture_ = gesture;
        tile.setDown(false);
        if (gesture == Gesture::carry) showGhost(tile, position);
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
