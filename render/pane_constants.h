#pragma once

#include "render/pane_layout.h"
#include "render/scene.h"
#include "resources/shaders/shared.h"

namespace threefold::render {

struct DeviceMesh;

/// What the shaders are told about a layer of a pane.
shared::PaneConstants paneConstants(const Scene& scene, const Pane& pane, const Layer& layer,
                                    const PaneRect& rect, const DeviceMesh& mesh);

}  // namespace threefold::render
