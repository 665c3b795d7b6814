#pragma once

#include <span>
#include <vector>

#include "engine/mesh.h"

namespace threefold {

/// The unit normal of each vertex: the sum of its faces' normals, weighted by area (Gouraud 1971)
/// and normalised; 0 for a vertex without a face of non-zero area. Throws InputError if a face's
/// vertex index is out of range.
std::vector<glm::vec3> vertexNormals(std::span<const glm::vec3> vertices,
                                     std::span<const glm::u32vec3> faces);

}  // namespace threefold
