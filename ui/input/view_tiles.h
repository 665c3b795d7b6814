#pragma once

#include <cstddef>
#include <vector>

#include <QPoint>
#include <QWidget>

namespace threefold::ui {

class ViewTile;

/// Tiles in rows and columns, numbered from 0: base of the slots and of the strip.
class ViewTiles : public QWidget {
    Q_OBJECT

  public:
    using QWidget::QWidget;

    const std::vector<ViewTile*>& tiles() const { return tiles_; }
    /// The number of a tile, or of the one at a global position; −1: none.
    int placeOf(const ViewTile* tile) const;
    int placeAt(QPoint global) const;

  Q_SIGNALS:
    void tileAdded(threefold::ui::ViewTile* tile);
    void chosen(int place);  ///< clicked, or Enter

  protected:
    /// Adds or removes tiles at the end.
    void setCount(std::size_t count);
    virtual int columns() const = 0;
    /// How far an arrow key moves among the tiles; 0 for other keys.
    int stepOf(int key) const;

  private:
    std::vector<ViewTile*> tiles_;  // children of this
};

}  // namespace threefold::ui
