#include "ui/input/view_strip.h"

#include <algorithm>

#include <QKeyEvent>

namespace threefold::ui {
namespace {

constexpr int kMinTile = 34;
constexpr int kTileGap = 2;

int columnsFor(int width) {
    return std::max(1, (width + kTileGap) / (kMinTile + kTileGap));
}

int tileSide(int width) {
    return std::max(8, (width + kTileGap) / columnsFor(width) - kTileGap);
}

}  // namespace

ViewStrip::ViewStrip(QWidget* parent) : ViewTiles(parent) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("All views of the sample"));
}

void ViewStrip::setViews(std::size_t viewCount, const ViewSelection& selection,
                         const QMap<int, QImage>& images) {
    const bool changed = tiles().size() != viewCount;
    setCount(viewCount);
    for (int view = 0; view < static_cast<int>(tiles().size()); ++view) {
        ViewTile& tile = *tiles()[static_cast<std::size_t>(view)];
        const std::optional<std::size_t> slot = selection.slotOf(view);
        tile.setMark(slot ? ViewTile::Mark::chosen : ViewTile::Mark::none);
        const QString name =
            slot ? tr("View %1, in slot %2").arg(view).arg(*slot + 1) : tr("View %1").arg(view);
        tile.setAccessibleName(name);
        tile.setToolTip(
            tr("%1 · click or Enter: into the selected slot · a digit: into that slot · "
               "drag: into any slot")
                .arg(name));
        tile.setImage(images.value(view));
    }
    if (changed) {
        if (!tiles().empty()) setTabStop(tiles().front());
        arrange();
        updateGeometry();
    }
}

void ViewStrip::setTabStop(const ViewTile* stop) {
    for (ViewTile* tile : tiles())
        tile->setFocusPolicy(tile == stop ? Qt::StrongFocus : Qt::ClickFocus);
}

int ViewStrip::heightForWidth(int width) const {
    const int rows = (static_cast<int>(tiles().size()) + columnsFor(width) - 1) / columnsFor(width);
    return std::max(0, rows * (tileSide(width) + kTileGap) - kTileGap);
}

int ViewStrip::rowHeight() const {
    return tileSide(width());
}

QSize ViewStrip::sizeHint() const {
    constexpr int kDefaultWidth = 224;
    return {kDefaultWidth, heightForWidth(kDefaultWidth)};
}

bool ViewStrip::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusIn) setTabStop(qobject_cast<ViewTile*>(watched));
    const bool isKey =
        event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    const int view = isKey ? indexOf(qobject_cast<ViewTile*>(watched)) : -1;
    if (view < 0) return QWidget::eventFilter(watched, event);
    const auto& key = static_cast<QKeyEvent&>(*event);
    if (key.modifiers() & ~Qt::KeypadModifier) return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::ShortcutOverride) {
        // Elsewhere in the window the digits are shortcuts of the standard views.
        if (key.key() >= Qt::Key_1 && key.key() <= Qt::Key_8) event->accept();
        return false;
    }
    return pressKey(view, key.key()) || QWidget::eventFilter(watched, event);
}

bool ViewStrip::pressKey(int view, int key) {
    const int last = static_cast<int>(tiles().size()) - 1;
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        Q_EMIT chosen(view);
        return true;
    }
    if (key >= Qt::Key_1 && key <= Qt::Key_8) {
        Q_EMIT viewAssigned(static_cast<std::size_t>(key - Qt::Key_1), view);
        return true;
    }
    const int target = key == Qt::Key_Home ? 0 : key == Qt::Key_End ? last : view + stepOf(key);
    if (target == view) return stepOf(key) != 0 || key == Qt::Key_Home || key == Qt::Key_End;
    if (target < 0 || target > last) return true;
    tiles()[static_cast<std::size_t>(target)]->setFocus(Qt::TabFocusReason);
    Q_EMIT viewFocused(target);
    return true;
}

int ViewStrip::columns() const {
    return columnsFor(width());
}

void ViewStrip::arrange() {
    const int side = tileSide(width());
    for (int i = 0; i < static_cast<int>(tiles().size()); ++i) {
        const int column = i % columns();
        const int row = i / columns();
        tiles()[static_cast<std::size_t>(i)]->setGeometry(column * (side + kTileGap),
                                                          row * (side + kTileGap), side, side);
    }
}

}  // namespace threefold::ui
