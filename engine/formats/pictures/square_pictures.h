#pragma once

#include <span>

#include "engine/formats/pictures/image.h"

namespace threefold {

/// Resizes a picture to a square of `side` > 0 pixels by averaging covered pixels. Any thread.
Image resizedToSquare(const Image& image, int side);

/// Joins square pictures of one size, at least one, from left to right. Any thread.
Image sideBySide(std::span<const Image> pictures);

}  // namespace threefold
