#include "render/pane_view.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace threefold::render {
namespace {

// A sum clamped to ±2^30, so that it stays an int for any tile.
int moved(int from, std::int64_t by) {
    constexpr std::int64_t kFar = 1 << 30;
    return static_cast<int>(std::clamp(from + by, -kFar, kFar));
}

// NaN counts as the left end.
int columnAt(const PaneRect& pane, float share) {
    const double inside = share > 0.0F ? std::min(1.0, static_cast<double>(share)) : 0.0;
    return pane.x + static_cast<int>(std::lround(inside * pane.width));
}

// `begin` and `size` of what can be drawn of a pane along one axis.
std::pair<int, int> grown(int seenBegin, int seenSize, int wholeBegin, int wholeSize, int widest) {
    const int size = std::max(seenSize, std::min(wholeSize, widest));
    const std::int64_t wanted = std::int64_t{seenBegin} - (size - seenSize) / 2;
    const std::int64_t last = std::int64_t{wholeBegin} + wholeSize - size;
    return {moved(0, std::min(std::max<std::int64_t>(wanted, wholeBegin), last)), size};
}

PaneRect viewportOf(const PaneRect& seen, const PaneRect& whole, int widest) {
    const auto [x, width] = grown(seen.x, seen.width, whole.x, whole.width, widest);
    const auto [y, height] = grown(seen.y, seen.height, whole.y, whole.height, widest);
    return {x, y, width, height};
}

}  // namespace

int dividerWidth(float pixelRatio) {
    constexpr float kMostRatio = 64.0F;
    const float ratio = pixelRatio > 1.0F ? std::min(pixelRatio, kMostRatio) : 1.0F;
    return static_cast<int>(std::lround(ratio));
}

int panesInRow(int count) {
    constexpr int kMostInOneRow = 4;
    return count <= kMostInOneRow ? count : (count + 1) / 2;
}

std::vector<PaneRect> paneLayout(int width, int height, int count, float pixelRatio) {
    std::vector<PaneRect> panes;
    if (count <= 0) return panes;
    const std::int64_t gap = dividerWidth(pixelRatio);
    const std::int64_t columns = panesInRow(count), rows = (count + columns - 1) / columns;
    const auto sizeOf = [&](std::int64_t whole, std::int64_t parts) {
        return std::max<std::int64_t>(0, whole - gap * (parts - 1)) / parts;
    };
    const std::int64_t across = sizeOf(width, columns), down = sizeOf(height, rows);
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t x = std::min<std::int64_t>(i % columns * (across + gap), width);
        const std::int64_t y = std::min<std::int64_t>(i / columns * (down + gap), height);
        panes.push_back({static_cast<int>(x), static_cast<int>(y), static_cast<int>(across),
                         static_cast<int>(down)});
    }
    return panes;
}

PaneRect intersection(const PaneRect& a, const PaneRect& b) {
    const std::int64_t left = std::max(a.x, b.x), top = std::max(a.y, b.y);
    const std::int64_t right = std::min(std::int64_t{a.x} + a.width, std::int64_t{b.x} + b.width);
    const std::int64_t bottom =
        std::min(std::int64_t{a.y} + a.height, std::int64_t{b.y} + b.height);
    return {static_cast<int>(left), static_cast<int>(top),
            static_cast<int>(std::max<std::int64_t>(0, right - left)),
            static_cast<int>(std::max<std::int64_t>(0, bottom - top))};
}

float pixelRatioOf(const Scene& scene) {
    constexpr float kMost = 64.0F;
    return scene.pixelRatio > 0.0F ? std::min(scene.pixelRatio, kMost) : 1.0F;
}

std::vector<PaneView> paneViews(const Scene& scene, int width, int height, int widest) {
    const Tile tile = scene.tile.value_or(Tile{0, 0, width, height});
    const PaneRect drawn{0, 0, width, height};
    std::vector<PaneView> views;
    for (PaneRect pane : paneLayout(std::max(0, tile.wholeWidth), std::max(0, tile.wholeHeight),
                                    static_cast<int>(scene.panes.size()), scene.pixelRatio)) {
        pane.x = moved(pane.x, -std::int64_t{tile.x});
        pane.y = moved(pane.y, -std::int64_t{tile.y});
        const PaneRect seen = intersection(pane, drawn);
        views.push_back({pane, seen, viewportOf(seen, pane, widest)});
    }
    return views;
}

PaneRect columnsOf(const PaneView& view, float from, float to) {
    const int begin = columnAt(view.whole, from), end = columnAt(view.whole, to);
    return intersection({begin, view.whole.y, std::max(0, end - begin), view.whole.height},
                        view.seen);
}

}  // namespace threefold::render
