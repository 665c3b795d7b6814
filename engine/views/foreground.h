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

/// Where a photograph shows the object: what is at least half opaque, or, where nothing is
/// transparent, what is not white (or nearly so: compression darkens white a little). None where
/// that is everything or nothing: such an image says nothing about its object's outline.
std::optional<Mask> foregroundOf(const Image& image);

}  // namespace threefold
