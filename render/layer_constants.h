#pragma once

#include "render/pane_view.h"
#include "render/scene.h"
#include "resources/shaders/shared.h"

namespace threefold::render {

struct DeviceMesh;

/// The shaders' constants of a layer. `view` must not be empty; `firstColumn`: the layer's first
/// column in the target.
shared::LayerConstants layerConstants(const Scene& scene, const Pane& pane, const Layer& layer,
                                      const PaneView& view, int firstColumn,
                                      const DeviceMesh& mesh);

/// 0…1; NaN counts as 1.
float opacityOf(const Layer& layer);

}  // namespace threefold::render
