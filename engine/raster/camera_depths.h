#pragma once

#include <stop_token>
#include <vector>

#include "engine/mesh.h"
#include "engine/views/camera.h"

namespace threefold {

/// Depth map: depth of the nearest face at each pixel, along the viewing direction, in object
/// units; 0 where no face is visible. The picture is `side` pixels square and covers the camera's
/// 224×224 projection (METHOD.md §2). `mesh` is in world space. Uses one thread. Throws as
/// rasterize() does.
std::vector<float> cameraDepths(const Mesh& mesh, const Camera& camera, int side,
                                const std::stop_token& cancel = {});

}  // namespace threefold
