#include "ui/input/view_slots.h"

#include <algorithm>

#include <QGridLayout>
#include <QKeyEvent>
#include <QWheelEvent>

#include "ui/input/view_tile.h"

namespace threefold::ui {
namespace {

constexpr std::size_t kMostInOneColumn = 3;

}  // namespace

ViewSlots::ViewSlots(QWidget* parent) : QWidget(parent), layout_(new QGridLayout(this)) {
    layout_->setContentsMargins(0, 0, 0, 0);
    layout_->setSpacing(6);
}

int ViewSlots::columns() const {
    return tiles_.size() > kMostInOneColumn ? 2 : 1;
}

void ViewSlots::setCount(std::size_t count) {
    if (count == tiles_.size()) return;
    bool hadFocus = false;
    while (tiles_.size() > count) {
        ViewTile* last = tiles_.back();
        tiles_.pop_back();
        hadFocus = hadFocus || last->hasFocus();
        layout_->removeWidget(last);
        last->hide();
        last->deleteLater();  // it may be the one whose key asked for it
    }
    while (tiles_.size() < count) {
        auto* tile = new ViewTile(this);
        tile->setZoomed(true);
        const std::size_t slot = tiles_.size();
        connect(tile, &ViewTile::clicked, this, [this, slot] { Q_EMIT slotSelected(slot); });
        tile->installEventFilter(this);
        tiles_.push_back(tile);
        Q_EMIT tileAdded(tile);
    }
    constexpr int kAlone = 108;
    constexpr int kBeside = 88;
    for (std::size_t slot = 0; slot < tiles_.size(); ++slot) {
        const int place = static_cast<int>(slot);
        tiles_[slot]->setFixedHeight(columns() == 1 ? kAlone : kBeside);
        layout_->addWidget(tiles_[slot], place / columns(), place % columns());
    }
    if (hadFocus && !tiles_.empty()) tiles_.back()->setFocus(Qt::TabFocusReason);
}

void ViewSlots::show(const ViewSelection& selection, const std::map<int, QImage>& images) {
    setCount(selection.views().size());
    for (std::size_t slot = 0; slot < tiles_.size(); ++slot) {
        const int view = selection.views()[slot];
        ViewTile& tile = *tiles_[slot];
        const bool selected = slot == selection.selectedSlot();
        if (slot > 0)
            tile.setBadge(tr("view %1").arg(view));
        else
            tile.setBadge(columns() == 1 ? tr("view %1 · reference").arg(view)
                                         : tr("view %1 · ref.").arg(view));
        tile.setMark(selected ? ViewTile::Mark::selected : ViewTile::Mark::none);
        QString name = slot == 0 ? tr("Slot 1: view %1, the reference").arg(view)
                                 : tr("Slot %1: view %2").arg(slot + 1).arg(view);
        if (selected) name = tr("%1, selected").arg(name);
        tile.setAccessibleName(name);
        tile.setToolTip(
            slot == 0 ? tr("The reference: meshes, truth and exports are in this view's camera "
                           "space. Select it, then choose another view below; or drag views here.")
                      : tr("Select this slot, then choose a view below; or drag views here."));
        const auto image = images.find(view);
        tile.setImage(image == images.end() ? QImage() : image->second);
    }
}

std::optional<std::size_t> ViewSlots::slotAt(QPoint global) const {
    for (std::size_t slot = 0; slot < tiles_.size(); ++slot) {
        const ViewTile& tile = *tiles_[slot];
        if (tile.isVisible() && tile.rect().contains(tile.mapFromGlobal(global))) return slot;
    }
    return std::nullopt;
}

std::optional<std::size_t> ViewSlots::slotOf(const ViewTile* tile) const {
    const auto found = std::find(tiles_.begin(), tiles_.end(), tile);
    if (found == tiles_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - tiles_.begin());
}

bool ViewSlots::eventFilter(QObject* watched, QEvent* event) {
    const std::optional<std::size_t> slot = slotOf(qobject_cast<ViewTile*>(watched));
    if (!slot) return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::Wheel) {
        constexpr double kNotch = 120;
        bool taken = false;
        Q_EMIT wheelTurned(*slot, static_cast<QWheelEvent*>(event)->angleDelta().y() / kNotch,
                           &taken);
        if (taken) event->accept();
        return taken;
    }
    if (event->type() == QEvent::KeyPress) {
        const auto& key = static_cast<QKeyEvent&>(*event);
        if (pressKey(*slot, key.key(), key.modifiers())) return true;
    }
    return QWidget::eventFilter(watched, event);
}

bool ViewSlots::pressKey(std::size_t slot, int key, Qt::KeyboardModifiers modifiers) {
    std::ptrdiff_t step = 0;
    switch (key) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
            Q_EMIT slotSelected(slot);
            return true;
        case Qt::Key_Delete:
        case Qt::Key_Backspace:
            Q_EMIT removalAsked(slot);
            return true;
        case Qt::Key_Up:
            step = -columns();
            break;
        case Qt::Key_Down:
            step = columns();
            break;
        case Qt::Key_Left:
            step = -1;
            break;
        case Qt::Key_Right:
            step = 1;
            break;
        default:
            return false;
    }
    const auto target = static_cast<std::ptrdiff_t>(slot) + step;
    if (target < 0 || target >= static_cast<std::ptrdiff_t>(tiles_.size())) return true;
    const auto to = static_cast<std::size_t>(target);
    if (modifiers.testFlag(Qt::ControlModifier)) Q_EMIT swapAsked(slot, to);
    tiles_[to]->setFocus(Qt::TabFocusReason);
    return true;
}

}  // namespace threefold::ui
