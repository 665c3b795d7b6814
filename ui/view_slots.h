#pragma once

#include <map>
#include <vector>

#include <QImage>
#include <QWidget>

#include "ui/view_selection.h"

class QVBoxLayout;

namespace threefold::ui {

class ViewTile;

/// The chosen views, one card below the other; the first is the reference.
class ViewSlots : public QWidget {
    Q_OBJECT

  public:
    explicit ViewSlots(QWidget* parent = nullptr);

    void show(const ViewSelection& selection, const std::map<int, QImage>& images);
    const std::vector<ViewTile*>& tiles() const { return tiles_; }

  Q_SIGNALS:
    void slotSelected(std::size_t slot);

  private:
    QVBoxLayout* layout_;
    std::vector<ViewTile*> tiles_;  // children of this
};

}  // namespace threefold::ui
