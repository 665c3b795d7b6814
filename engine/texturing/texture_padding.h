#pragma once

#include <cstdint>

#include <glm/vec3.hpp>

#include "engine/formats/pictures/image.h"

namespace threefold::texturing {

/// Sets a pixel of four bytes to a colour, 0…255, rounded and clamped, and makes it opaque.
void putPixel(std::uint8_t* pixel, glm::vec3 colour);

/// Fills the transparent texels of a square texture: kChartPadding rings around painted texels with
/// the mean of their painted neighbours, the rest with the mean of all painted texels, so that
/// small mip levels do not darken.
void padTexture(Image& texture);

}  // namespace threefold::texturing
