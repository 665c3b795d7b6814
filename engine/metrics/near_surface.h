#pragma once

#include <span>
#include <vector>

#include "engine/mesh.h"

namespace threefold {

/// Whether each point lies within `distance` of the surface of a mesh: of its triangles, not of
/// their vertices alone. `distance` is above 0, vertices and points are finite, and all indices
/// exist. No faces: false for all points.
std::vector<bool> nearSurface(std::span<const glm::vec3> points,
                              std::span<const glm::vec3> vertices,
                              std::span<const glm::u32vec3> faces, double distance);

}  // namespace threefold
