#pragma once

#include <vector>

#include "render/pane_layout.h"
#include "render/scene.h"

namespace threefold::render {

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
