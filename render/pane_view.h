#pragma once

#include <vector>

#include "render/pane_layout.h"
#include "render/scene.h"

namespace threefold::render {

/// Where a pane stands on what is drawn, in device pixels from its top left.
struct PaneView {
    PaneRect whole;  ///< reaches beyond what is drawn where that is a tile of a larger picture
    PaneRect seen;   ///< the part of it that is drawn; of width or height 0: nothing
    /// Holds `seen`, and as much around it of `whole` as a viewport can: a triangle is cut off at
    /// its edges, which rounds, so tiles meet best where they cut at the same places.
    PaneRect viewport;
};

/// One for each pane of the scene, on a target of the given size. `widest` is the largest width and
/// height of a viewport.
std::vector<PaneView> paneViews(const Scene& scene, int width, int height, int widest);

/// The columns from a share of the pane's width to another, cut to what is seen. What ends at a
/// share and what begins at it meet without a gap and without a column in common.
PaneRect columnsOf(const PaneView& view, float from, float to);

/// The common part; width or height 0 where there is none.
PaneRect intersection(const PaneRect& a, const PaneRect& b);

}  // namespace threefold::render
