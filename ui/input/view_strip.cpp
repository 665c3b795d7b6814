#include "ui/input/view_strip.h"

#include <algorithm>

#include <QKeyEvent>

#include "ui/input/view_tile.h"

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
    setAccessibleName(tr("All views of the item"));
}

void ViewStrip::show(std::size_t viewCount, const ViewSelection& selection,
                     const std::map<int, QImage>& images) {
    const bool changed = tiles_.size() != viewCount;
    while (tiles_.size() > viewCount) {
        tiles_.back()->hide();
        tiles_.back()->deleteLater();  // one of its signals may have led here
        tiles_.pop_back();
    }
    while (tiles_.size() < viewCount) {
        auto* tile = new ViewTile(this);
        const int view = static_cast<int>(tiles_.size());
        connect(tile, &ViewTile::clicked, this, [this, view] { Q_EMIT viewChosen(view); });
        tile->installEventFilter(this);
        tile->show();
        tiles_.push_back(tile);
        Q_EMIT tileAdded(tile);
    }
    for (int view = 0; view < static_cast<int>(tiles_.size()); ++view) {
        ViewTile& tile = *tiles_[static_cast<std::size_t>(view)];
        const int slot = selection.slotOf(view);
        tile.setMark(slot >= 0 ? ViewTile::Mark::chosen : ViewTile::Mark::none);
        const QString name =
            slot >= 0 ? tr("View %1, in slot %2").arg(view).arg(slot + 1) : tr("View %1").arg(view);
        tile.setAccessibleName(name);
        tile.setToolTip(
            tr("%1 · click or Enter: into the selected slot · a digit: into that slot · "
               "drag: into any slot")
                .arg(name));
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
    const bool isKey =
        event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    const int view = isKey ? viewOf(qobject_cast<ViewTile*>(watched)) : -1;
    if (view < 0) return QWidget::eventFilter(watched, event);
    const auto& key = static_cast<QKeyEvent&>(*event);
    if (key.modifiers() & ~Qt::KeypadModifier) return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::ShortcutOverride) {
        // The digits mean standard views elsewhere.
        if (key.key() >= Qt::Key_1 && key.key() <= Qt::Key_8) event->accept();
        return false;
    }
    return pressKey(view, key.key()) || QWidget::eventFilter(watched, event);
}

bool ViewStrip::pressKey(int view, int key) {
    const int last = static_cast<int>(tiles_.size()) - 1;
    int target = view;
    switch (key) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
            Q_EMIT viewChosen(view);
            return true;
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
        case Qt::Key_Home:
            target = 0;
            break;
        case Qt::Key_End:
            target = last;
            break;
        default:
            if (key < Qt::Key_1 || key > Qt::Key_8) return false;
            Q_EMIT viewPut(static_cast<std::size_t>(key - Qt::Key_1), view);
            return true;
    }
    if (target < 0 || target > last || target == view) return true;
    tiles_[static_cast<std::size_t>(target)]->setFocus(Qt::TabFocusReason);
    Q_EMIT viewReached(target);
    return true;
}

int ViewStrip::viewOf(const ViewTile* tile) const {
    const auto found = std::find(tiles_.begin(), tiles_.end(), tile);
    return tile == nullptr || found == tiles_.end() ? -1 : static_cast<int>(found - tiles_.begin());
}

int ViewStrip::viewAt(QPoint global) const {
    for (const ViewTile* tile : tiles_) {
        if (tile->isVisible() && tile->rect().contains(tile->mapFromGlobal(global)))
            return viewOf(tile);
    }
    return -1;
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
