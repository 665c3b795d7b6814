#pragma once

#include <vector>

#include <glm/vec2.hpp>

#include "render/scene.h"

namespace threefold::render {

/// A rectangle in device pixels from the picture's top left.
struct PixelRect {
    int x = 0, y = 0, width = 0, height = 0;
    bool operator==(const PixelRect&) const = default;
};

/// Whether the rectangle has no area.
inline bool isEmpty(const PixelRect& rect) {
    return rect.width <= 0 || rect.height <= 0;
}

inline glm::vec2 sizeOf(const PixelRect& rect) {
    return {static_cast<float>(rect.width), static_cast<float>(rect.height)};
}

inline glm::vec2 centreOf(const PixelRect& rect) {
    return glm::vec2(rect.x, rect.y) + 0.5F * sizeOf(rect);
}

/// Width in device pixels of the divider between two panes: one logical pixel, at least one device
/// pixel.
int dividerWidth(float pixelRatio);

/// Number of panes in the first row; more than four panes take two rows.
int panesInRow(int count);

/// Lays out `count` panes in a picture of the given size, side by side with dividers. All have the
/// same size, so that the same mesh and camera give the same pixels in each. Up to `count` − 1
/// pixel columns at the right and one pixel row at the bottom may stay unused. A picture that is
/// too narrow gives panes of width 0.
std::vector<PixelRect> paneRects(int width, int height, int count, float pixelRatio);

/// Position of a pane in the target, in device pixels from the target's top left.
struct PaneView {
    PixelRect whole;    ///< extends beyond the target if the target is a tile
    PixelRect visible;  ///< part within the target; width or height 0: none
    /// `visible` and as much of `whole` around it as a viewport can hold. Tiles match the whole
    /// picture best if triangles are clipped at the same positions, because clipping rounds.
    PixelRect viewport;
};

/// Device pixels per logical pixel, at most 64; 1 if the scene's ratio is not above 0.
float pixelRatioOf(const Scene& scene);

/// Computes one view for each pane of the scene, in a target of the given size. `maxViewport`:
/// limit of a viewport's width and height.
std::vector<PaneView> paneViews(const Scene& scene, int width, int height, int maxViewport);

/// Visible columns between two positions, as fractions of the pane's width. Ranges that end and
/// begin at the same position neither overlap nor leave a gap.
PixelRect columnsOf(const PaneView& view, float from, float to);

/// Intersection of two rectangles; width or height 0 if empty.
PixelRect intersection(const PixelRect& a, const PixelRect& b);

}  // namespace threefold::render
