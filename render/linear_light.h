#pragma once

#include <glm/vec3.hpp>

namespace threefold::render {

/// sRGB-encoded 0…1 to linear light, the inverse of what the shaders end with.
glm::vec3 toLinear(glm::vec3 encoded);

}  // namespace threefold::render
