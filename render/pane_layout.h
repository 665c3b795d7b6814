#pragma once

#include <vector>

namespace threefold::render {

/// A rectangle in device pixels from the picture's top left.
struct PaneRect {
    int x = 0, y = 0, width = 0, height = 0;
    bool operator==(const PaneRect&) const = default;
};

/// Width in device pixels of the line between two panes: one logical pixel, at least one real.
int dividerWidth(float pixelRatio);

/// Where `count` panes stand in a picture of the given size: side by side, dividers between them,
/// all equally wide, so that the same mesh under the same camera gives the same pixels in each.
/// Fewer than `count` columns may be left over at the right. A picture too narrow for its dividers
/// gives panes of width 0.
std::vector<PaneRect> paneLayout(int width, int height, int count, float pixelRatio);

}  // namespace threefold::render
