#pragma once

#include <cstddef>
#include <string>

#include <glm/vec4.hpp>

#include <gtest/gtest.h>

#include "engine/formats/pictures/image.h"

namespace threefold::render {

/// Perceived difference of two pictures of one size: distances in CIELAB. Both are compared over
/// black and over white, so that alpha counts; the greater difference counts.
struct Difference {
    double mean = 0.0;  ///< mean distance of all pixels
    double tone = 0.0;  ///< largest distance between the mean colours of a block of 8 × 8 pixels
    int crowd = 0;      ///< most pixels in such a block that are off by more than kNoticeable
    double fraction = 0.0;  ///< fraction of all pixels that are
};

inline constexpr float kNoticeable = 10.0F;

/// The pictures must be of one size.
Difference compare(const Image& a, const Image& b);

/// Whether two pictures may come from the same program on two drivers. These round differently
/// (Mesa changes its shader arithmetic from release to release), and a sample at an edge may be
/// covered or not: a byte may be off by one everywhere, and here and there a pixel by a
/// quarter of the contrast. So a few noticeable pixels are allowed, but no crowd of them in one
/// place, and no tone that is off over a whole block. A line, an edge or a part of one that is
/// shifted by a pixel is a crowd; a colour that is off by one part in fifty is a tone.
bool looksAlike(const Difference& difference);

/// Compares with tests/render/baselines/NAME.png. What must be exact is tested without a baseline.
/// On failure the picture, and the difference multiplied by 8, lie in the build folder; the message
/// names them. With THREEFOLD_UPDATE_BASELINES=1 the picture becomes the baseline.
testing::AssertionResult matchesBaseline(const Image& picture, const std::string& name);

/// The bytes of a pixel.
glm::ivec4 pixelAt(const Image& image, int x, int y);

/// How many pixels are not of the given colour.
std::size_t countOther(const Image& image, glm::ivec4 colour);

}  // namespace threefold::render
