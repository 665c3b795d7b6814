#pragma once

#include <vector>

#include <glm/vec3.hpp>

namespace threefold {

using Faces = std::vector<glm::u32vec3>;  ///< 0-based vertex indices, counter-clockwise outside
using Points = std::vector<glm::vec3>;

/// Triangle mesh in object units (METHOD.md §2: the unit-box diagonal scaled by 0.57).
struct Mesh {
    Points vertices;
    Faces faces;
};

}  // namespace threefold
