#pragma once

#include <algorithm>
#include <cstddef>

#include <glm/common.hpp>
#include <glm/vec2.hpp>

namespace threefold {

/// Four neighbouring pixels of a square field, stored row by row, and a position between their
/// centres.
struct BilinearCell {
    /// Index of the upper left pixel; the others are at + 1, + side and + side + 1.
    std::size_t corner;
    glm::vec2 fraction;  ///< 0…1 from the upper left centre to the right and downwards
};

/// The four pixels around `position`, which is finite, in pixels from the field's upper left
/// corner; pixel centres are at halves, as in Lens. A position beyond the outermost centres is
/// clamped to the nearest one. `side`: of the square field, 2 or more.
inline BilinearCell bilinearCell(glm::vec2 position, int side) {
    const glm::vec2 texel =
        glm::clamp(position - 0.5F, glm::vec2(0), glm::vec2(static_cast<float>(side - 1)));
    const int x = std::min(static_cast<int>(texel.x), side - 2);
    const int y = std::min(static_cast<int>(texel.y), side - 2);
    return {
        static_cast<std::size_t>(y) * static_cast<std::size_t>(side) + static_cast<std::size_t>(x),
        texel - glm::vec2(x, y)};
}

/// Interpolated value of a field, and its gradient per pixel.
struct BilinearSample {
    float value;
    glm::vec2 gradient;
};

/// Interpolates within a cell of a square field of `side` pixels a row.
inline BilinearSample interpolated(const float* values, int side, const BilinearCell& cell) {
    const float* upper = values + cell.corner;
    const float* lower = upper + side;
    const glm::vec2 fraction = cell.fraction;
    const float above = glm::mix(upper[0], upper[1], fraction.x);
    const float below = glm::mix(lower[0], lower[1], fraction.x);
    return {glm::mix(above, below, fraction.y),
            {glm::mix(upper[1] - upper[0], lower[1] - lower[0], fraction.y), below - above}};
}

}  // namespace threefold
