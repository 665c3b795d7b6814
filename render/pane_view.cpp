#include "render/pane_view.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace threefold::render {
namespace {

constexpr float kMaxPixelRatio = 64.0F;

// Sum clamped to ±2^30, so that the result is an int for any tile.
int clampedSum(int value, std::int64_t offset) {
    constexpr std::int64_t kFar = 1 << 30;
    return static_cast<int>(std::clamp(value + offset, -kFar, kFar));
}

// Column at a fraction of the pane's width; NaN counts as the left end.
int columnAt(const PixelRect& pane, float fraction) {
    const double clamped = fraction > 0.0F ? std::min(1.0, static_cast<double>(fraction)) : 0.0;
    return pane.x + static_cast<int>(std::lround(clamped * pane.width));
}

// Begin and size of a viewport along one axis: the visible part, grown within the pane up to the
// limit.
std::pair<int, int> grownRange(int visibleBegin, int visibleSize, int wholeBegin, int wholeSize,
                               int maxViewport) {
    const int size = std::max(visibleSize, std::min(wholeSize, maxViewport));
    const std::int64_t centred = std::int64_t{visibleBegin} - (size - visibleSize) / 2;
    const std::int64_t last = std::int64_t{wholeBegin} + wholeSize - size;
    return {clampedSum(0, std::min(std::max<std::int64_t>(centred, wholeBegin), last)), size};
}

PixelRect viewportOf(const PixelRect& visible, const PixelRect& whole, int maxViewport) {
    const auto [x, width] = grownRange(visible.x, visible.width, whole.x, whole.width, maxViewport);
    const auto [y, height] =
        grownRange(visible.y, visible.height, whole.y, whole.height, maxViewport);
    return {x, y, width, height};
}

}  // namespace

int dividerWidth(float pixelRatio) {
    const float ratio = pixelRatio > 1.0F ? std::min(pixelRatio, kMaxPixelRatio) : 1.0F;
    return static_cast<int>(std::lround(ratio));
}

int panesInRow(int count) {
    constexpr int kMaxInOneRow = 4;
    return count <= kMaxInOneRow ? count : (count + 1) / 2;
}

std::vector<PixelRect> paneRects(int width, int height, int count, float pixelRatio) {
    std::vector<PixelRect> panes;
    if (count <= 0) return panes;
    const std::int64_t gap = dividerWidth(pixelRatio);
    const std::int64_t columns = panesInRow(count), rows = (count + columns - 1) / columns;
    const auto sizeOf = [&](std::int64_t whole, std::int64_t panesAlong) {
        return std::max<std::int64_t>(0, whole - gap * (panesAlong - 1)) / panesAlong;
    };
    const std::int64_t paneWidth = sizeOf(width, columns), paneHeight = sizeOf(height, rows);
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t x = std::min<std::int64_t>(i % columns * (paneWidth + gap), width);
        const std::int64_t y = std::min<std::int64_t>(i / columns * (paneHeight + gap), height);
        panes.push_back({static_cast<int>(x), static_cast<int>(y), static_cast<int>(paneWidth),
                         static_cast<int>(paneHeight)});
    }
    return panes;
}

PixelRect intersection(const PixelRect& a, const PixelRect& b) {
    const std::int64_t left = std::max(a.x, b.x), top = std::max(a.y, b.y);
    const std::int64_t right = std::min(std::int64_t{a.x} + a.width, std::int64_t{b.x} + b.width);
    const std::int64_t bottom =
        std::min(std::int64_t{a.y} + a.height, std::int64_t{b.y} + b.height);
    return {static_cast<int>(left), static_cast<int>(top),
            static_cast<int>(std::max<std::int64_t>(0, right - left)),
            static_cast<int>(std::max<std::int64_t>(0, bottom - top))};
}

float pixelRatioOf(const Scene& scene) {
    return scene.pixelRatio > 0.0F ? std::min(scene.pixelRatio, kMaxPixelRatio) : 1.0F;
}

std::vector<PaneView> paneViews(const Scene& scene, int width, int height, int maxViewport) {
    const Tile tile = scene.tile.value_or(Tile{0, 0, width, height});
    const PixelRect target{0, 0, width, height};
    std::vector<PaneView> views;
    for (PixelRect pane : paneRects(std::max(0, tile.pictureWidth), std::max(0, tile.pictureHeight),
                                    static_cast<int>(scene.panes.size()), scene.pixelRatio)) {
        pane.x = clampedSum(pane.x, -std::int64_t{tile.x});
        pane.y = clampedSum(pane.y, -std::int64_t{tile.y});
        const PixelRect visible = intersection(pane, target);
        views.push_back({pane, visible, viewportOf(visible, pane, maxViewport)});
    }
    return views;
}

PixelRect columnsOf(const PaneView& view, float from, float to) {
    const int begin = columnAt(view.whole, from), end = columnAt(view.whole, to);
    return intersection({begin, view.whole.y, std::max(0, end - begin), view.whole.height},
                        view.visible);
}

}  // namespace threefold::render
