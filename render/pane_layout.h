#pragma once

#include <vector>

namespace threefold::render {

/// A rectangle in device pixels from the picture's top left.
struct PaneRect {
    int x = 0, y = 0, width = 0, height = 0;
    bool operator==(const PaneRect&) const = default;
};

/// Width in device pixels of the line between two panes: one logical pixel, at least one device
/// pixel.
int dividerWidth(float pixelRatio);

/// The rectangles of `count` panes in a picture of the given size: side by side with dividers, all
/// equally wide, so that the same mesh under the same camera gives the same pixels in each. Up to
/// count − 1 columns may stay unused at the right. A picture too narrow gives panes of width 0.
std::vector<PaneRect> paneLayout(int width, int height, int count, float pixelRatio);

}  // namespace threefold::render
