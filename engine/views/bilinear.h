#pragma once

#include <algorithm>
#include <array>
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
/// clamped to their rectangle. `side`: of the square field, 2 or more.
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

/// Four neighbouring pixels of a picture of any shape, and a position between their centres.
struct PictureCell {
    /// Indices, row by row: upper left, upper right, lower left, lower right. Beyond the last
    /// column or row, the border's pixel again.
    std::array<std::size_t, 4> pixels;
    glm::dvec2 fraction;  ///< 0…1 from the upper left centre to the right and downwards
};

/// The four pixels around `position`, which is finite, in pixels as for bilinearCell(). Clamps like
/// bilinearCell(). `width`, `height`: of the picture, 1 or more.
inline PictureCell pictureCell(glm::dvec2 position, int width, int height) {
    const double x = std::clamp(position.x - 0.5, 0.0, width - 1.0);
    const double y = std::clamp(position.y - 0.5, 0.0, height - 1.0);
    const auto left = static_cast<std::size_t>(x);
    const auto top = static_cast<std::size_t>(y);
    const auto columns = static_cast<std::size_t>(width);
    const std::size_t right = std::min(left + 1, columns - 1);
    const std::size_t bottom = std::min(top + 1, static_cast<std::size_t>(height) - 1);
    return {{columns * top + left, columns * top + right, columns * bottom + left,
             columns * bottom + right},
            {x - static_cast<double>(left), y - static_cast<double>(top)}};
}

/// Weight of a corner, 0 to 3 in the order of PictureCell::pixels; the four add up to 1.
template <class Real>
Real bilinearWeight(glm::vec<2, Real> fraction, std::size_t corner) {
    return (corner % 2 != 0 ? fraction.x : 1 - fraction.x) *
           (corner > 1 ? fraction.y : 1 - fraction.y);
}

}  // namespace threefold
