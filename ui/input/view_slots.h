#pragma once

#include <vector>

#include <QImage>
#include <QMap>

#include "engine/views/camera.h"
#include "ui/document/view_selection.h"
#include "ui/input/view_tiles.h"

namespace threefold::ui {

/// The chosen views as squares, the first being the reference, in as many columns as make them
/// largest. The cell behind the last one is a companion's. Arrow keys move the focus, with Ctrl
/// also the view; Enter and space select a slot, Delete removes it, Z and a double click enlarge
/// it.
class ViewSlots : public ViewTiles {
    Q_OBJECT

  public:
    explicit ViewSlots(QWidget* parent = nullptr);

    /// `cameras`: of all views.
    void setViews(const ViewSelection& selection, const QMap<int, QImage>& images,
                  const std::vector<CameraRow>& cameras);
    /// Shown in the cell behind the slots, unless cells are small. A child of this.
    void setCompanion(QWidget* companion);

    /// The height of the squares within `room` logical pixels.
    int heightWithin(int room) const;

    QSize sizeHint() const override { return minimumSizeHint(); }
    QSize minimumSizeHint() const override;

  Q_SIGNALS:
    void swapAsked(std::size_t from, std::size_t to);
    void removalAsked(std::size_t slot);
    void enlargementAsked(std::size_t slot);
    /// The wheel was turned over a slot; away from the user is positive. Unless `taken` is set, the
    /// panel scrolls.
    void wheelTurned(std::size_t slot, double notches, bool* taken);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    struct Grid {
        int columns = 1;
        int side = 0;  ///< of a cell, logical pixels
    };
    Grid gridFor(int cells, int height) const;
    bool companionFits(int height) const;
    int cellsIn(int height) const {
        return static_cast<int>(tiles().size()) + (companionFits(height) ? 1 : 0);
    }
    void setSlotCount(std::size_t count);
    void arrange();
    int columns() const override { return columns_; }
    void showMenu(std::size_t slot, QPoint global);
    bool pressKey(std::size_t slot, int key, Qt::KeyboardModifiers modifiers);

    QWidget* companion_ = nullptr;
    bool doubleClick_ = false;  // its second press; a drag may still follow
    int columns_ = 1;
};

}  // namespace threefold::ui
