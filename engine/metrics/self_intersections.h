#pragma once

#include <cstdint>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "engine/mesh.h"

namespace threefold {

/// The faces that cut through others of the same mesh or touch them, ascending: two faces without a
/// common vertex that have a point in common, or two with one common vertex that have another point
/// in common. Exact for all finite coordinates. Faces with two common vertices are neighbours and
/// never count, nor does a face without area. All vertices must be finite, and there. Thread-safe.
std::vector<std::uint32_t> intersectingFaces(const Points& vertices, const Faces& faces);

// On which side a point lies, exactly, for all finite coordinates: determinants in double
// precision, and as exact sums of products where rounding could change the sign (Shewchuk 1997).

/// The sign of (b − a) × (c − a): 1 for a counter-clockwise turn, −1 for clockwise, 0 on a line.
int orientation(glm::vec2 a, glm::vec2 b, glm::vec2 c);

/// The sign of ((b − a) × (c − a)) · (d − a): 1 where a, b, c turn counter-clockwise as seen from
/// d, −1 where clockwise, 0 in one plane.
int orientation(glm::vec3 a, glm::vec3 b, glm::vec3 c, glm::vec3 d);

}  // namespace threefold
