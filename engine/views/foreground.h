#pragma once

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
};

/// The object's pixels: at least half opaque, or, where nothing is transparent, not nearly white.
/// None if that is every pixel or no pixel.
std::optional<Mask> foregroundOf(const Image& image);

}  // namespace threefold
