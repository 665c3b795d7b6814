#pragma once

#include <span>
#include <vector>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "engine/views/camera.h"

namespace threefold {

/// Points of `from`'s space (Camera{}: the world) as `to` sees them, in the clip space that
/// rasterize() takes: METHOD.md §2's 224×224 projection fills the image, whatever its size, first
/// row on top. What is nearer than a thousandth of the world's unit, or behind the camera, is cut
/// away. Depth grows with the distance and loses no precision to it.
std::vector<glm::vec4> toClipSpace(std::span<const glm::vec3> points, const Camera& from,
                                   const Camera& to);

}  // namespace threefold
