#pragma once

#include "ui/panes/compare_hover.h"

namespace threefold::ui {

/// Adds all features that compare meshes: those declared below and CompareHover.
void addComparing(const WindowParts& parts, Viewport& viewport);

/// Layouts of the panes: the segmented control in the tool bar, commands and keys, and the seam of
/// a wipe, which mouse and keys move. In an overlay the same keys change the opacity.
void addCompareLayouts(const WindowParts& parts, Viewport& viewport);

/// While a key is held, or until the focus is lost, the two meshes swap panes, which makes
/// differences visible.
void addCompareBlink(const WindowParts& parts, Viewport& viewport);

/// The strip under the panes: the slider of the stages, which sets Look::morphPosition.
void addCompareStages(const WindowParts& parts);

/// Goes through the vertices in which the shown quantity is locally worst, and marks them: of the
/// refined mesh, or else of the first one with values. The camera turns only if the vertex is
/// hidden.
void addCompareWorst(const WindowParts& parts, Viewport& viewport, PickTrees& trees);

/// The distance between two vertices, of one mesh or of two: Shift and a click choose each, or a
/// key the one under the pointer or the marked one. A line of dots joins them; the status line
/// shows their distance.
void addCompareDistance(const WindowParts& parts, Viewport& viewport, PickTrees& trees,
                        CompareHover& hover);

}  // namespace threefold::ui
