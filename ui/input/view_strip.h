#pragma once

#include <QImage>
#include <QMap>

#include "ui/document/view_selection.h"
#include "ui/input/view_tiles.h"

namespace threefold::ui {

/// Small tiles of all views of a sample; views in a slot are outlined. Arrow keys move the focus,
/// Tab leaves the strip, space and Enter choose the focused view, and a digit from 1 to
/// kMaxInputViews puts the focused view into the slot of that number.
class ViewStrip : public ViewTiles {
    Q_OBJECT

  public:
    explicit ViewStrip(QWidget* parent = nullptr);

    void setViews(std::size_t viewCount, const ViewSelection& selection,
                  const QMap<int, QImage>& images);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    int rowHeight() const;  ///< height of one row of tiles, logical pixels

  Q_SIGNALS:
    void viewAssigned(std::size_t slot, int view);
    /// An arrow key, Home or End has moved the focus to a view.
    void viewFocused(int view);

  protected:
    void resizeEvent(QResizeEvent*) override { arrange(); }
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    int columns() const override;
    void arrange();
    /// Makes `stop` the only tile that Tab stops at; arrow keys move to the others.
    void setTabStop(const ViewTile* stop);
    bool pressKey(int view, int key);
};

}  // namespace threefold::ui
