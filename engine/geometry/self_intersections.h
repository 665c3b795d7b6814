#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/mesh.h"

namespace threefold {

/// Faces that intersect or touch other faces of the mesh, in ascending order. Two faces count if
/// they share a point without having a common vertex, or if they have one common vertex and share
/// another point. Faces with two common vertices are neighbours and never count, nor do faces
/// without area. Exact for all finite coordinates. Vertices must be finite, and vertex indices in
/// range. Thread-safe.
std::vector<std::uint32_t> intersectingFaces(std::span<const glm::vec3> vertices,
                                             std::span<const glm::u32vec3> faces);

}  // namespace threefold
