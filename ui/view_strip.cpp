#include "ui/view_strip.h"

#include <algorithm>

#include <QKeyEvent>

#include "ui/view_tile.h"

namespace threefold::ui {
namespace {

constexpr int kLeastTile = 34;
constexpr int kGap = 2;

int columnsFor(int width) {
    return std::max(1, (width + kGap) / (kLeastTile + kGap));
}

int tileSide(int width) {
    return std::max(8, (width + kGap) / columnsFor(width) - kGap);
}

}  // namespace

ViewStrip::ViewStrip(QWidget* parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(QStringLiteral("All views of the item"));
}

void ViewStrip::show(std::size_t viewCount, const ViewSelection& selection,
                     const std::map<int, QImage>& images) {
    const bool changed = tiles_.size() != viewCount;
    while (tiles_.size() > viewCount) {
        delete tiles_.back();
        tiles_.pop_back();
    }
    while (tiles_.size() < viewCount) {
        auto* tile = new ViewTile(this);
        const int view = static_cast<int>(tiles_.size());
        connect(tile, &ViewTile::clicked, this, [this, view] { Q_EMIT viewChosen(view); });
        tile->installEventFilter(this);
        tile->show();
        tiles_.push_back(tile);
    }
    for (int view = 0; view < static_cast<int>(tiles_.size()); ++view) {
        ViewTile& tile = *tiles_[static_cast<std::size_t>(view)];
        const int slot = selection.slotOf(view);
        tile.setMark(slot >= 0 ? ViewTile::Mark::chosen : ViewTile::Mark::none);
        const QString name = slot >= 0
                                 ? QStringLiteral("View %1, in slot %2").arg(view).arg(slot + 1)
                                 : QStringLiteral("View %1").arg(view);
        tile.setAccessibleName(name);
        tile.setToolTip(name);
        const auto image = images.find(view);
        tile.setImage(image == images.end() ? QImage() : image->second);
    }
    if (changed) {
        arrange();
        updateGeometry();
    }
}

int ViewStrip::heightForWidth(int width) const {
    const int rows = (static_cast<int>(tiles_.size()) + columnsFor(width) - 1) / columnsFor(width);
    return std::max(0, rows * (tileSide(width) + kGap) - kGap);
}

QSize ViewStrip::sizeHint() const {
    constexpr int kUsualWidth = 224;
    return {kUsualWidth, heightForWidth(kUsualWidth)};
}

void ViewStrip::resizeEvent(QResizeEvent*) {
    arrange();
}

bool ViewStrip::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
    const auto found = std::find(tiles_.begin(), tiles_.end(), watched);
    int target = static_cast<int>(found - tiles_.begin());
    switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Left:
            target -= 1;
            break;
        case Qt::Key_Right:
            target += 1;
            break;
        case Qt::Key_Up:
            target -= columns();
            break;
        case Qt::Key_Down:
            target += columns();
            break;
        default:
            return QWidget::eventFilter(watched, event);
    }
    if (target >= 0 && target < static_cast<int>(tiles_.size())) {
        tiles_[static_cast<std::size_t>(target)]->setFocus(Qt::TabFocusReason);
    }
    return true;
}

int ViewStrip::columns() const {
    return columnsFor(width());
}

void ViewStrip::arrange() {
    const int side = tileSide(width());
    for (int i = 0; i < static_cast<int>(tiles_.size()); ++i) {
        const int column = i % columns();
        const int row = i / columns();
        tiles_[static_cast<std::size_t>(i)]->setGeometry(column * (side + kGap),
                                                         row * (side + kGap), side, side);
    }
}

}  // namespace threefold::ui
