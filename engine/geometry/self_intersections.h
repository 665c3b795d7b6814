#pragma once

#include <cstdint>
#include <vector>

#include "engine/mesh.h"

namespace threefold {

/// Faces that intersect or touch other faces of the mesh, ascending: faces without a common vertex
/// that share a point, or with one common vertex that share another point. Exact for all finite
/// coordinates. Faces with two common vertices are neighbours and never count, nor do faces without
/// area. Vertices must be finite, and vertex indices in range. Thread-safe.
std::vector<std::uint32_t> intersectingFaces(const Points& vertices, const Faces& faces);

}  // namespace threefold
