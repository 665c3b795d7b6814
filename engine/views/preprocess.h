#pragma once

#include <span>

#include "engine/formats/pictures/image.h"

namespace threefold {

/// METHOD.md §3: fully transparent pixels become white, bilinear resize to 224×224 with half-pixel
/// centres and no antialiasing (the fixed-point arithmetic of OpenCV's 8-bit INTER_LINEAR, so that
/// results agree to the last bit), BGR, ÷ 255.
/// Writes (224, 224, 3) floats in 0…1; `out` must have that size.
void preprocess(const Image& image, std::span<float> out);

}  // namespace threefold
