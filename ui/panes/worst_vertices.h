#pragma once

namespace threefold::ui {

class PickTrees;
class Viewport;
struct FeatureContext;

/// Adds commands that step through the local maxima of the shown quantity and mark the vertex of
/// each: on the mesh at the stage slider, or else on the first mesh with values. The camera turns
/// only to an occluded vertex.
void addWorstVertices(const FeatureContext& context, Viewport& viewport, PickTrees& trees);

}  // namespace threefold::ui
