#pragma once

#include <cstddef>
#include <string>

#include <glm/vec4.hpp>

#include <gtest/gtest.h>

#include "engine/formats/image.h"

namespace threefold::render {

/// How two pictures of one size differ, over their four channels.
struct Difference {
    double mean = 0.0;   ///< mean absolute difference of all bytes, 0…255
    double share = 0.0;  ///< share of pixels with a channel that differs by more than kNoticeable
    int largest = 0;     ///< of all bytes
};

inline constexpr int kNoticeable = 24;

/// The pictures must be of one size.
Difference compare(const Image& a, const Image& b);

/// Compares with tests/render/baselines/NAME.png. Drivers round differently (Mesa changes its
/// shader arithmetic and its coverage of edges from release to release), so a byte may be off a
/// little everywhere and by much on a few edge pixels; a wrong shape, colour or line width is far
/// beyond both limits. What must be exact is tested without a baseline.
/// On failure the picture, and its difference eightfold, lie in the build folder; the message
/// names them. With THREEFOLD_UPDATE_BASELINES=1 the picture becomes the baseline.
testing::AssertionResult matchesBaseline(const Image& picture, const std::string& name);

/// The bytes of a pixel.
glm::ivec4 pixelAt(const Image& image, int x, int y);

/// How many pixels are not of the given colour.
std::size_t countOther(const Image& image, glm::ivec4 colour);

}  // namespace threefold::render
