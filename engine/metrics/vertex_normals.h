#pragma once

#include <span>
#include <vector>

#include <glm/vec3.hpp>

namespace threefold {

/// Of each vertex, the sum of the normals of the faces around it, each by its area (Gouraud 1971),
/// of length 1; 0 where there are none, or none of any area. Throws InputError where a face names a
/// vertex that is not there.
std::vector<glm::vec3> vertexNormals(std::span<const glm::vec3> vertices,
                                     std::span<const glm::u32vec3> faces);

}  // namespace threefold
