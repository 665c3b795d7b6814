#pragma once

#include <map>
#include <vector>

#include <QImage>
#include <QPoint>
#include <QWidget>

#include "ui/document/view_selection.h"

namespace threefold::ui {

class ViewTile;

/// All of an item's views as small cards in rows, those in a slot outlined. Arrow keys move
/// between them, space and Enter choose, the digits 1 to 8 put a view into that slot.
class ViewStrip : public QWidget {
    Q_OBJECT

  public:
    explicit ViewStrip(QWidget* parent = nullptr);

    void show(std::size_t viewCount, const ViewSelection& selection,
              const std::map<int, QImage>& images);
    const std::vector<ViewTile*>& tiles() const { return tiles_; }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

    /// The view of a tile, or at a global position; −1: none.
    int viewOf(const ViewTile* tile) const;
    int viewAt(QPoint global) const;

  Q_SIGNALS:
    void tileAdded(threefold::ui::ViewTile* tile);
    void viewChosen(int view);
    void viewPut(std::size_t slot, int view);
    /// Arrow keys have come to a view; they repeat while held.
    void viewReached(int view);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    int columns() const;
    void arrange();
    bool pressKey(int view, int key);

    std::vector<ViewTile*> tiles_;  // children of this
};

}  // namespace threefold::ui
