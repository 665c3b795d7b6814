#pragma once

#include <functional>
#include <optional>

#include <glm/vec2.hpp>

namespace threefold {

/// Point of a picture, in fractions of width and height from the upper left corner.
using NormalizedPoint = glm::dvec2;

/// Maps a pixel of a view's 224×224 picture to a point of the view's photograph, with distortion;
/// nullopt if the lens cannot project the pixel's direction. The point may be outside the
/// photograph.
using PhotoMapping = std::function<std::optional<NormalizedPoint>(glm::dvec2 pixel)>;

}  // namespace threefold
