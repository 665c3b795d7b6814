#pragma once

namespace threefold::ui {

class PickTrees;
class VertexHover;
class Viewport;
struct FeatureContext;

/// Adds the measuring of a distance between two vertices of one mesh or of two meshes. Shift and a
/// click choose an end; a key takes the vertex under the pointer, or else the marked vertex. A line
/// of dots joins the ends; the status line shows their distance.
void addDistanceMeasuring(const FeatureContext& context, Viewport& viewport, PickTrees& trees,
                          VertexHover& hover);

}  // namespace threefold::ui
