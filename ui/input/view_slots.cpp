#include "ui/input/view_slots.h"

#include <QGridLayout>
#include <QKeyEvent>
#include <QWheelEvent>

#include "ui/input/view_tile.h"

namespace threefold::ui {
namespace {

constexpr std::size_t kMostInOneColumn = 3;

}  // namespace

ViewSlots::ViewSlots(QWidget* parent) : ViewTiles(parent), layout_(new QGridLayout(this)) {
    layout_->setContentsMargins(0, 0, 0, 0);
    layout_->setSpacing(6);
}

int ViewSlots::columns() const {
    return tiles().size() > kMostInOneColumn ? 2 : 1;
}

void ViewSlots::arrange(std::size_t count) {
    bool hadFocus = false;
    for (std::size_t slot = count; slot < tiles().size(); ++slot) {
        hadFocus = hadFocus || tiles()[slot]->hasFocus();
        layout_->removeWidget(tiles()[slot]);
    }
    setCount(count);
    constexpr int kAlone = 108;
    constexpr int kBeside = 88;
    for (std::size_t slot = 0; slot < tiles().size(); ++slot) {
        const int place = static_cast<int>(slot);
        tiles()[slot]->setZoomed(true);
        tiles()[slot]->setFixedHeight(columns() == 1 ? kAlone : kBeside);
        layout_->addWidget(tiles()[slot], place / columns(), place % columns());
    }
    if (hadFocus && !tiles().empty()) tiles().back()->setFocus(Qt::TabFocusReason);
}

void ViewSlots::show(const ViewSelection& selection, const std::map<int, QImage>& images) {
    if (selection.views().size() != tiles().size()) arrange(selection.views().size());
    for (std::size_t slot = 0; slot < tiles().size(); ++slot) {
        const int view = selection.views()[slot];
        ViewTile& tile = *tiles()[slot];
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

bool ViewSlots::eventFilter(QObject* watched, QEvent* event) {
    const int place = placeOf(qobject_cast<ViewTile*>(watched));
    if (place < 0) return QWidget::eventFilter(watched, event);
    const auto slot = static_cast<std::size_t>(place);
    if (event->type() == QEvent::Wheel) {
        constexpr double kNotch = 120;
        bool taken = false;
        Q_EMIT wheelTurned(slot, static_cast<QWheelEvent*>(event)->angleDelta().y() / kNotch,
                           &taken);
        if (taken) event->accept();
        return taken;
    }
    if (event->type() == QEvent::KeyPress) {
        const auto& key = static_cast<QKeyEvent&>(*event);
        if (pressKey(slot, key.key(), key.modifiers())) return true;
    }
    return QWidget::eventFilter(watched, event);
}

bool ViewSlots::pressKey(std::size_t slot, int key, Qt::KeyboardModifiers modifiers) {
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        Q_EMIT chosen(static_cast<int>(slot));
        return true;
    }
    if (key == Qt::Key_Delete || key == Qt::Key_Backspace) {
        Q_EMIT removalAsked(slot);
        return true;
    }
    const int step = stepOf(key);
    if (step == 0) return false;
    const int target = static_cast<int>(slot) + step;
    if (target < 0 || target >= static_cast<int>(tiles().size())) return true;
    const auto to = static_cast<std::size_t>(target);
    if (modifiers.testFlag(Qt::ControlModifier)) Q_EMIT swapAsked(slot, to);
    tiles()[to]->setFocus(Qt::TabFocusReason);
    return true;
}

}  // namespace threefold::ui
