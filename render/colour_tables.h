#pragma once

#include <array>

#include <glm/vec3.hpp>

#include "resources/shaders/shared.h"

namespace threefold::render {

/// sRGB-encoded entries from the lowest value to the highest.
extern const std::array<glm::vec3, shared::kColourTableSize> kViridis;
extern const std::array<glm::vec3, shared::kColourTableSize> kInferno;
extern const std::array<glm::vec3, shared::kColourTableSize> kCividis;
extern const std::array<glm::vec3, shared::kColourTableSize> kCoolWarm;

}  // namespace threefold::render
