#pragma once

#include <map>
#include <vector>

#include <QImage>
#include <QWidget>

#include "ui/view_selection.h"

namespace threefold::ui {

class ViewTile;

/// All of an item's views as small cards in rows, those in a slot outlined. Arrow keys move
/// between them, space chooses.
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

  Q_SIGNALS:
    void viewChosen(int view);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    int columns() const;
    void arrange();

    std::vector<ViewTile*> tiles_;  // children of this
};

}  // namespace threefold::ui
