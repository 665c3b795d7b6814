#pragma once

#include "ui/panes/vertex_hover.h"

class QBoxLayout;

namespace threefold::ui {

/// Adds all features that compare meshes: those declared below and VertexHover. `belowPanes`: rows
/// under the panes.
void addComparison(const FeatureContext& context, const ShownDocument& shown, Viewport& viewport,
                   QBoxLayout& belowPanes);

/// Adds the pane layouts: the segmented control in the tool bar, commands and keys, and the seam of
/// a wipe, moved by mouse or keys. In an overlay the same keys change the opacity.
void addPaneLayouts(const FeatureContext& context, Viewport& viewport);

/// Adds blink comparison: the first two meshes swap panes while a key is held, until the window
/// loses the focus at the latest.
void addBlinking(const FeatureContext& context, Viewport& viewport);

/// Adds the strip under the panes with the slider of the stages, which sets Look::morphPosition.
void addStageStrip(const FeatureContext& context, QBoxLayout& belowPanes);

/// Adds commands that step through the local maxima of the shown quantity and mark the vertex: on
/// the result, or else on the first mesh with values. The camera turns only to an occluded vertex.
void addWorstVertices(const FeatureContext& context, const ShownDocument& shown, Viewport& viewport,
                      PickTrees& trees);

/// Adds measuring the distance between two vertices of one mesh or two. Shift and a click choose
/// an end; a key takes the vertex under the pointer, or else the marked one. A line of dots joins
/// the ends; the status line shows their distance.
void addDistanceMeasuring(const FeatureContext& context, Viewport& viewport, PickTrees& trees,
                          VertexHover& hover);

}  // namespace threefold::ui
