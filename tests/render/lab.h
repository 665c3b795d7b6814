#pragma once

#include <glm/vec3.hpp>

namespace threefold::render {

/// CIELAB under D65 of an sRGB-encoded colour 0…1: L* 0…100, a*, b*. A distance of 1 is about the
/// least that an eye tells apart side by side, 2.3 what it notices.
glm::vec3 labOf(glm::vec3 encoded);

}  // namespace threefold::render
