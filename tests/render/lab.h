#pragma once

#include <glm/vec3.hpp>

namespace threefold::render {

/// Converts an sRGB-encoded colour (0…1) to CIELAB under D65: L* 0…100, a*, b*. A distance of 1 is
/// about the smallest that people see side by side, 2.3 a just noticeable difference.
glm::vec3 labOf(glm::vec3 encoded);

}  // namespace threefold::render
