#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/formats/pictures/image.h"

namespace threefold {

/// Which pixels belong to the object, rows top to bottom.
struct Mask {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> inside;  ///< 1 or 0; width · height
    /// As many: 0 where the photograph does not reach, and `inside` is 0. Empty: known everywhere.
    std::vector<std::uint8_t> known = {};

    bool knows(std::size_t pixel) const { return known.empty() || known[pixel] != 0; }
};

/// The pixels at the centres of width×height; known everywhere.
Mask resized(const Mask& mask, int width, int height);

/// The object's pixels: at least half opaque, or, where nothing is transparent, not nearly white.
/// None if that is every pixel or no pixel, or if nothing is transparent and most of the picture's
/// border is object, on all four sides: the background was not cut out.
std::optional<Mask> foregroundOf(const Image& image);

}  // namespace threefold
