#include "ui/input/view_slots.h"

#include <algorithm>
#include <utility>

#include <QAction>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QWheelEvent>

#include "engine/views/network_input.h"
#include "engine/views/view_chooser.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

constexpr int kGap = 6;
constexpr int kMinSide = 64;
constexpr int kMaxSide = 280;
constexpr int kMinExtraCell = 84;  // in a smaller cell, cameras of the ring are hard to tell apart

QString warningText(int view, const SimilarView& similar) {
    return ViewSlots::tr(
               "Too similar to view %1 in slot %2: only %3° apart (at least %4° are of use). "
               "Choose a view from another side.")
        .arg(view)
        .arg(similar.index + 1)
        .arg(similar.angle, 0, 'f', 1)
        .arg(kMinViewAngleDegrees, 0, 'f', 0);
}

int rowsFor(int cells, int columns) {
    return (cells + columns - 1) / columns;
}

}  // namespace

ViewSlots::ViewSlots(QWidget* parent) : ViewTiles(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
}

void ViewSlots::setExtraCell(QWidget* widget) {
    extraCell_ = widget;
    arrange();
}

ViewSlots::Grid ViewSlots::gridFor(int cells, int height) const {
    // More rows take height from the strip below, so they must give a considerably larger side.
    constexpr double kMinGain = 1.25;
    Grid best;
    for (int columns = cells; columns > 0; --columns) {
        const int rows = rowsFor(cells, columns);
        const int side =
            std::min({(width() + kGap) / columns - kGap, (height + kGap) / rows - kGap, kMaxSide});
        const bool sameRows = best.columns > 0 && rows == rowsFor(cells, best.columns);
        if (side > (sameRows ? 1 : kMinGain) * best.side) best = {columns, side};
    }
    return best;
}

QSize ViewSlots::minimumSizeHint() const {
    const int slots = std::max(1, static_cast<int>(tiles().size()));
    const int columns = std::clamp((width() + kGap) / (kMinSide + kGap), 1, slots);
    return {2 * kMinSide + kGap, rowsFor(slots, columns) * (kMinSide + kGap) - kGap};
}

void ViewSlots::setSlotCount(std::size_t count) {
    bool hadFocus = false;
    for (std::size_t slot = count; slot < tiles().size(); ++slot)
        hadFocus = hadFocus || tiles()[slot]->hasFocus();
    setCount(count);
    for (ViewTile* tile : tiles()) tile->setZoomed(true);
    arrange();
    updateGeometry();
    if (hadFocus && !tiles().empty()) tiles().back()->setFocus(Qt::TabFocusReason);
}

bool ViewSlots::extraCellFits(int height) const {
    const int slots = static_cast<int>(tiles().size());
    return extraCell_ != nullptr && slots > 0 && gridFor(slots + 1, height).side >= kMinExtraCell;
}

int ViewSlots::heightWithin(int room) const {
    const int cells = cellsIn(room);
    const Grid grid = gridFor(cells, room);
    return std::max(minimumSizeHint().height(),
                    rowsFor(cells, grid.columns) * (grid.side + kGap) - kGap);
}

void ViewSlots::arrange() {
    const Grid grid = gridFor(cellsIn(height()), height());
    columns_ = grid.columns;
    const auto cell = [&](int index) {
        const int step = grid.side + kGap;
        return QRect(index % columns_ * step, index / columns_ * step, grid.side, grid.side);
    };
    int index = 0;
    for (ViewTile* tile : tiles()) tile->setGeometry(cell(index++));
    if (extraCell_ == nullptr) return;
    extraCell_->setVisible(extraCellFits(height()));
    extraCell_->setGeometry(cell(index));
}

void ViewSlots::resizeEvent(QResizeEvent* event) {
    ViewTiles::resizeEvent(event);
    arrange();
}

void ViewSlots::setViews(const ViewSelection& selection, const QMap<int, QImage>& images,
                         const std::vector<CameraRow>& cameras) {
    if (selection.views().size() != tiles().size()) setSlotCount(selection.views().size());
    std::vector<CameraRow> chosen;
    for (const int view : selection.views())
        chosen.push_back(static_cast<std::size_t>(view) < cameras.size()
                             ? cameras[static_cast<std::size_t>(view)]
                             : CameraRow{});
    for (std::size_t slot = 0; slot < tiles().size(); ++slot) {
        const int view = selection.views()[slot];
        ViewTile& tile = *tiles()[slot];
        const bool selected = slot == selection.selectedSlot();
        tile.setBadge(slot == 0 ? tr("view %1 · ref.").arg(view) : tr("view %1").arg(view));
        tile.setMark(selected ? ViewTile::Mark::selected : ViewTile::Mark::none);
        QString name = slot == 0 ? tr("Slot 1: view %1, the reference").arg(view)
                                 : tr("Slot %1: view %2").arg(slot + 1).arg(view);
        if (selected) name = tr("%1, selected").arg(name);
        QString tip =
            slot == 0 ? tr("The reference: meshes, truth and exports are in this view's camera "
                           "space. Select it, then choose another view below; or drag views here.")
                      : tr("Select this slot, then choose a view below; or drag views here.");
        tip += tr("\nDouble click, Z, or Ctrl and the wheel: enlarge the photograph.");
        tile.setWarning({});
        if (const auto similar = findTooSimilarView(chosen, slot); similar && !cameras.empty()) {
            tile.setWarning(tr("too similar"));
            name = tr("%1, too similar to slot %2").arg(name).arg(similar->index + 1);
            tip += QLatin1Char('\n') + warningText(selection.views()[similar->index], *similar);
        }
        tile.setAccessibleName(name);
        tile.setToolTip(tip);
        tile.setImage(images.value(view));
    }
}

bool ViewSlots::eventFilter(QObject* watched, QEvent* event) {
    const int index = indexOf(qobject_cast<ViewTile*>(watched));
    if (index < 0) return QWidget::eventFilter(watched, event);
    const auto slot = static_cast<std::size_t>(index);
    if (event->type() == QEvent::MouseButtonPress) doubleClick_ = false;
    if (event->type() == QEvent::MouseButtonDblClick)
        doubleClick_ = static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton;
    if (event->type() == QEvent::MouseButtonRelease && std::exchange(doubleClick_, false))
        Q_EMIT enlargementRequested(slot);
    if (event->type() == QEvent::Wheel) {
        const auto& wheel = static_cast<QWheelEvent&>(*event);
        if (wheel.modifiers().testFlag(Qt::ControlModifier)) {
            if (wheel.angleDelta().y() > 0) Q_EMIT enlargementRequested(slot);
            event->accept();
            return true;
        }
        constexpr double kNotch = 120;
        bool accepted = false;
        Q_EMIT wheelTurned(slot, wheel.angleDelta().y() / kNotch, &accepted);
        if (accepted) event->accept();
        return accepted;
    }
    if (event->type() == QEvent::ContextMenu) {
        showMenu(slot, static_cast<QContextMenuEvent*>(event)->globalPos());
        return true;
    }
    if (event->type() == QEvent::KeyPress) {
        const auto& key = static_cast<QKeyEvent&>(*event);
        if (pressKey(slot, key.key(), key.modifiers())) return true;
    }
    return QWidget::eventFilter(watched, event);
}

void ViewSlots::showMenu(std::size_t slot, QPoint global) {
    QMenu* menu = transientMenu(this);
    menu->addAction(tr("&Enlarge"), this, [this, slot] { Q_EMIT enlargementRequested(slot); });
    menu->addAction(tr("Make it the &reference"), this,
                    [this, slot] { Q_EMIT swapRequested(slot, 0); })
        ->setEnabled(slot > 0);
    menu->addAction(tr("Re&move"), this, [this, slot] { Q_EMIT removalRequested(slot); })
        ->setEnabled(tiles().size() > kMinInputViews);
    menu->popup(global);
}

bool ViewSlots::pressKey(std::size_t slot, int key, Qt::KeyboardModifiers modifiers) {
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        Q_EMIT chosen(static_cast<int>(slot));
        return true;
    }
    if (key == Qt::Key_Delete || key == Qt::Key_Backspace) {
        Q_EMIT removalRequested(slot);
        return true;
    }
    if (key == Qt::Key_Z && modifiers == Qt::NoModifier) {
        Q_EMIT enlargementRequested(slot);
        return true;
    }
    const int step = stepOf(key);
    if (step == 0) return false;
    const int target = static_cast<int>(slot) + step;
    if (target < 0 || target >= static_cast<int>(tiles().size())) return true;
    const auto to = static_cast<std::size_t>(target);
    if (modifiers.testFlag(Qt::ControlModifier)) Q_EMIT swapRequested(slot, to);
    tiles()[to]->setFocus(Qt::TabFocusReason);
    return true;
}

}  // namespace threefold::ui
