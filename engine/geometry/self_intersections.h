#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/mesh.h"

namespace threefold {

/// Faces that intersect or touch other faces of the mesh, ascending: faces without a common vertex
/// that share a point, or with one common vertex that share another point. Exact for all finite
/// coordinates. Faces with two common vertices are neighbours and never count, nor do faces without
/// area. Vertices must be finite, and vertex indices in range. Thread-safe.
std::vector<std::uint32_t> intersectingFaces(std::span<const glm::vec3> vertices,
                                             std::span<const glm::u32vec3> faces);

}  // namespace threefold
