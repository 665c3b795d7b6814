#pragma once

#include <cstdint>
#include <span>

#include <glm/vec4.hpp>

namespace threefold::render {

/// The background as it is cleared for a picture that unpremultiply() follows: colour × alpha.
glm::vec4 premultiplied(glm::vec4 background);

/// Turns RGBA bytes drawn over the premultiplied background into straight alpha, in place. Pixels
/// that are background only get its exact bytes, round(255 × value).
void unpremultiply(std::span<std::uint8_t> rgba, glm::vec4 background);

}  // namespace threefold::render
