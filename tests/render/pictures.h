#pragma once

#include <cstddef>
#include <string>

#include <glm/vec4.hpp>

#include <gtest/gtest.h>

#include "engine/formats/pictures/image.h"

namespace threefold::render {

/// Perceived difference of two pictures of the same size: distances in CIELAB. The pictures are
/// blended over black and over white, so that alpha counts; each field is the larger of both
/// values.
struct Difference {
    double mean = 0.0;  ///< mean distance of all pixels
    /// Largest distance, over all blocks of 8 × 8 pixels, between a block's mean colours in the two
    /// pictures.
    double maxBlockDistance = 0.0;
    /// Largest number of noticeable pixels in a block of 8 × 8 pixels.
    int maxNoticeableInBlock = 0;
    double fraction = 0.0;  ///< fraction of noticeable pixels in the picture
};

inline constexpr float kNoticeable = 10.0F;  ///< smaller distances are not noticeable

/// The pictures must have the same size.
Difference compare(const Image& a, const Image& b);

/// Whether two pictures may come from the same program on two drivers. Drivers round differently
/// (Mesa changes its shader arithmetic between releases), so all bytes may differ by one. A
/// multisample at an edge may be covered or not, so single pixels may differ by a quarter of the
/// contrast. A few noticeable pixels are therefore tolerated. Many noticeable pixels in one block
/// (a line or edge is shifted by a pixel) and a block of another mean colour (a colour is wrong by
/// one part in fifty) are not tolerated.
bool looksAlike(const Difference& difference);

/// Compares with tests/render/baselines/NAME.png by looksAlike(). On failure the picture, and the
/// difference multiplied by 8, are written into the build folder; the message names both files.
/// With THREEFOLD_UPDATE_BASELINES=1 the picture becomes the baseline.
testing::AssertionResult matchesBaseline(const Image& picture, const std::string& name);

/// Red, green, blue and alpha of a pixel, 0…255.
glm::ivec4 pixelAt(const Image& image, int x, int y);

/// Number of pixels that do not have the colour.
std::size_t countOther(const Image& image, glm::ivec4 colour);

}  // namespace threefold::render
