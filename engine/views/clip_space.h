#pragma once

#include <span>
#include <vector>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "engine/views/camera.h"

namespace threefold {

/// Points of `from`'s space (Camera{}: the world) in `to`'s clip space as rasterize() takes it: the
/// 224×224 projection of METHOD.md §2 fills the image, first row on top. Cuts away what is behind
/// the camera or nearer than 0.001. Depth grows with distance, without loss of precision.
std::vector<glm::vec4> toClipSpace(std::span<const glm::vec3> points, const Camera& from,
                                   const Camera& to);

}  // namespace threefold
