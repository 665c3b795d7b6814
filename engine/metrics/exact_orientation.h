#pragma once

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

/// On which side a point lies, exactly, for all finite coordinates: determinants in double
/// precision, and as exact sums of products where rounding could change the sign (Shewchuk 1997).
namespace threefold {

/// The sign of (b − a) × (c − a): 1 where a, b, c turn counter-clockwise, −1 where clockwise, 0 on
/// one line.
int orientation(glm::vec2 a, glm::vec2 b, glm::vec2 c);

/// The sign of ((b − a) × (c − a)) · (d − a): 1 where a, b, c turn counter-clockwise as seen from
/// d, −1 where clockwise, 0 in one plane.
int orientation(glm::vec3 a, glm::vec3 b, glm::vec3 c, glm::vec3 d);

}  // namespace threefold
