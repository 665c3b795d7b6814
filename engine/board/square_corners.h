#pragma once

#include <array>

#include <glm/vec2.hpp>

namespace threefold::board {

/// Corners of a square: lower left, lower right, upper right, upper left as printed.
using SquareCorners = std::array<glm::dvec2, 4>;

/// Corners of a marker of side 2 around its centre.
inline constexpr SquareCorners kUnitMarkerCorners = {{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};

}  // namespace threefold::board
