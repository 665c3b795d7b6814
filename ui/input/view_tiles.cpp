#include "ui/input/view_tiles.h"

#include <algorithm>

#include "ui/input/view_tile.h"

namespace threefold::ui {

int ViewTiles::placeOf(const ViewTile* tile) const {
    const auto found = std::find(tiles_.begin(), tiles_.end(), tile);
    return found == tiles_.end() ? -1 : static_cast<int>(found - tiles_.begin());
}

int ViewTiles::placeAt(QPoint global) const {
    for (const ViewTile* tile : tiles_) {
        if (tile->isVisible() && tile->rect().contains(tile->mapFromGlobal(global)))
            return placeOf(tile);
    }
    return -1;
}

void ViewTiles::setCount(std::size_t count) {
    while (tiles_.size() > count) {
        tiles_.back()->hide();
        tiles_.back()->deleteLater();  // its own key or click may have removed it
        tiles_.pop_back();
    }
    while (tiles_.size() < count) {
        auto* tile = new ViewTile(this);
        const int place = static_cast<int>(tiles_.size());
        connect(tile, &ViewTile::clicked, this, [this, place] { Q_EMIT chosen(place); });
        tile->installEventFilter(this);
        tile->show();
        tiles_.push_back(tile);
        Q_EMIT tileAdded(tile);
    }
}

int ViewTiles::stepOf(int key) const {
    switch (key) {
        case Qt::Key_Left:
            return -1;
        case Qt::Key_Right:
            return 1;
        case Qt::Key_Up:
            return -columns();
        case Qt::Key_Down:
            return columns();
        default:
            return 0;
    }
}

}  // namespace threefold::ui
