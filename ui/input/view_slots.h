#pragma once

#include <vector>

#include <QImage>
#include <QMap>

#include "engine/views/camera.h"
#include "ui/document/view_selection.h"
#include "ui/input/view_tiles.h"

namespace threefold::ui {

/// Tiles of the chosen views in a grid; the first tile is the reference. The grid gets more rows
/// only if the tiles then become considerably larger. The cell after the last tile may hold another
/// widget. Arrow keys move the focus, and with Ctrl the view too. Enter and space select a slot,
/// Delete removes it, Z and a double click enlarge its photograph.
class ViewSlots : public ViewTiles {
    Q_OBJECT

  public:
    explicit ViewSlots(QWidget* parent = nullptr);

    /// Shows the selection: one tile for each chosen view. `images`: by view number; a view without
    /// an image has an empty tile. `cameras`: of all views; if empty, no view is marked as too
    /// similar.
    void setViews(const ViewSelection& selection, const QMap<int, QImage>& images,
                  const std::vector<CameraRow>& cameras);
    /// Shows a widget, which must be a child of this grid, in the cell after the slots. Hides the
    /// widget while the cells are too small for it.
    void setExtraCell(QWidget* widget);

    /// Height of the grid if it has `room` logical pixels; at least the minimum height, even with
    /// less room.
    int heightWithin(int room) const;

    QSize sizeHint() const override { return minimumSizeHint(); }
    QSize minimumSizeHint() const override;

  Q_SIGNALS:
    void swapRequested(std::size_t from, std::size_t to);
    void removalRequested(std::size_t slot);
    void enlargementRequested(std::size_t slot);
    /// The wheel was turned over a slot, without Ctrl. Notches are positive away from the user.
    /// Unless a receiver sets `accepted`, the panel scrolls.
    void wheelTurned(std::size_t slot, double notches, bool* accepted);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    struct Grid {
        int columns = 1;
        int side = 0;  ///< of a cell, logical pixels
    };
    Grid gridFor(int cells, int height) const;
    bool extraCellFits(int height) const;
    int cellsIn(int height) const {
        return static_cast<int>(tiles().size()) + (extraCellFits(height) ? 1 : 0);
    }
    void setSlotCount(std::size_t count);
    void arrange();
    int columns() const override { return columns_; }
    void showMenu(std::size_t slot, QPoint global);
    bool pressKey(std::size_t slot, int key, Qt::KeyboardModifiers modifiers);

    QWidget* extraCell_ = nullptr;
    bool doubleClick_ = false;  // a double click's second press is down; a drag may still follow
    int columns_ = 1;
};

}  // namespace threefold::ui
