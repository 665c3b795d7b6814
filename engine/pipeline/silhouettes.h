#pragma once

#include <span>
#include <vector>

#include "engine/fitting/fit_mesh.h"
#include "engine/metrics/silhouette.h"
#include "engine/network/reconstruction.h"
#include "engine/views/camera.h"

namespace threefold {

/// One for each of `views`; the meshes are in the space of the camera `space`. Throws what maskOf()
/// throws.
std::vector<ViewSilhouettes> silhouettesOf(const Reconstruction& meshes, const Camera& space,
                                           std::span<const FitView> views);

}  // namespace threefold
