#pragma once

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

namespace threefold {

/// Orientation of three points, exact for all finite coordinates, with CGAL's name and sign: a
/// determinant in double precision, or an exact sum of products if rounding could change the sign
/// (Shewchuk 1997). The sign of (b − a) × (c − a): 1 for a counter-clockwise turn, −1 for
/// clockwise, 0 on a line.
int orientation(glm::vec2 a, glm::vec2 b, glm::vec2 c);

/// Orientation of four points, exact as well. The sign of ((b − a) × (c − a)) · (d − a): 1 if a, b,
/// c turn counter-clockwise as seen from d, −1 if clockwise, 0 in one plane.
int orientation(glm::vec3 a, glm::vec3 b, glm::vec3 c, glm::vec3 d);

}  // namespace threefold
