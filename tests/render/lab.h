#pragma once

#include <glm/vec3.hpp>

namespace threefold::render {

/// Converts an sRGB-encoded colour (0…1) to CIELAB under D65: L* 0…100, a*, b*. A distance of about
/// 1 is visible side by side; 2.3 is a just noticeable difference.
glm::vec3 labOf(glm::vec3 encoded);

}  // namespace threefold::render
