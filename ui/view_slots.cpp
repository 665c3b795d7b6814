#include "ui/view_slots.h"

#include <QVBoxLayout>

#include "ui/view_tile.h"

namespace threefold::ui {

ViewSlots::ViewSlots(QWidget* parent) : QWidget(parent), layout_(new QVBoxLayout(this)) {
    layout_->setContentsMargins(0, 0, 0, 0);
    layout_->setSpacing(6);
}

void ViewSlots::show(const ViewSelection& selection, const std::map<int, QImage>& images) {
    constexpr int kTileHeight = 112;
    while (tiles_.size() > selection.views().size()) {
        delete tiles_.back();
        tiles_.pop_back();
    }
    while (tiles_.size() < selection.views().size()) {
        auto* tile = new ViewTile(this);
        tile->setFixedHeight(kTileHeight);
        const std::size_t slot = tiles_.size();
        connect(tile, &ViewTile::clicked, this, [this, slot] { Q_EMIT slotSelected(slot); });
        layout_->addWidget(tile);
        tiles_.push_back(tile);
    }
    for (std::size_t slot = 0; slot < tiles_.size(); ++slot) {
        const int view = selection.views()[slot];
        ViewTile& tile = *tiles_[slot];
        const bool selected = slot == selection.selectedSlot();
        const QString role = slot == 0 ? QStringLiteral(" · reference") : QString();
        tile.setBadge(QStringLiteral("view %1%2").arg(view).arg(role));
        tile.setMark(selected ? ViewTile::Mark::selected : ViewTile::Mark::none);
        tile.setAccessibleName(QStringLiteral("Slot %1: view %2%3%4")
                                   .arg(slot + 1)
                                   .arg(view)
                                   .arg(role, selected ? QStringLiteral(", selected") : QString()));
        tile.setToolTip(slot == 0
                            ? QStringLiteral("The reference: meshes, truth and exports are in this "
                                             "view's camera space. Select it, then choose another "
                                             "view below.")
                            : QStringLiteral("Select this slot, then choose a view below."));
        const auto image = images.find(view);
        tile.setImage(image == images.end() ? QImage() : image->second);
    }
}

}  // namespace threefold::ui
