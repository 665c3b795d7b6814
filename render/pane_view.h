#pragma once

#include "render/scene.h"

namespace threefold::render {

/// A rectangle in device pixels from the picture's top left.
struct PaneRect {
    int x = 0, y = 0, width = 0, height = 0;
    bool operator==(const PaneRect&) const = default;
};

/// Width in device pixels of the line between two panes: one logical pixel, at least one device
/// pixel.
int dividerWidth(float pixelRatio);

/// How many panes are beside each other in the first row; beyond four there are two rows.
int panesInRow(int count);

/// The rectangles of `count` panes in a picture of the given size: side by side with dividers, all
/// equally large, so that the same mesh under the same camera gives the same pixels in each. A few
/// columns, fewer than there are panes, may stay unused at the right, and a line at the bottom. A
/// picture too narrow gives panes of width 0.
std::vector<PaneRect> paneLayout(int width, int height, int count, float pixelRatio);

/// The place of a pane in the target, in device pixels from its top left.
struct PaneView {
    PaneRect whole;  ///< extends beyond the target if that is a tile of a larger picture
    PaneRect seen;   ///< the part within the target; width or height 0: none
    /// `seen` and as much of `whole` around it as a viewport can hold: clipping a triangle rounds,
    /// so tiles match best if they clip at the same places.
    PaneRect viewport;
};

/// Device pixels per logical pixel, at most 64; 1 where the scene's is not above 0.
float pixelRatioOf(const Scene& scene);

/// One for each pane of the scene, on a target of the given size. `widest`: limit of a viewport's
/// width and height.
std::vector<PaneView> paneViews(const Scene& scene, int width, int height, int widest);

/// The visible columns between two shares of the pane's width. Ranges that end and begin at the
/// same share neither overlap nor leave a gap.
PaneRect columnsOf(const PaneView& view, float from, float to);

/// The common part; width or height 0 if there is none.
PaneRect intersection(const PaneRect& a, const PaneRect& b);

}  // namespace threefold::render
