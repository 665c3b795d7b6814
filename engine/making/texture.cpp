#include "engine/making/texture.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <glm/common.hpp>

namespace threefold {
namespace {

/// A side of one pixel stays one; the last column or row of an odd side counts twice.
Image halved(const Image& image) {
    Image half;
    half.width = std::max(image.width / 2, 1);
    half.height = std::max(image.height / 2, 1);
    half.rgba.reserve(static_cast<std::size_t>(half.width) * static_cast<std::size_t>(half.height) *
                      4);
    const auto value = [&](int x, int y, int channel) {
        const auto column = static_cast<std::size_t>(std::min(x, image.width - 1));
        const auto row = static_cast<std::size_t>(std::min(y, image.height - 1));
        return int{image.rgba[(row * static_cast<std::size_t>(image.width) + column) * 4 +
                              static_cast<std::size_t>(channel)]};
    };
    for (int y = 0; y < half.height; ++y)
        for (int x = 0; x < half.width; ++x)
            for (int channel = 0; channel < 4; ++channel)
                half.rgba.push_back(static_cast<std::uint8_t>(
                    (value(2 * x, 2 * y, channel) + value(2 * x + 1, 2 * y, channel) +
                     value(2 * x, 2 * y + 1, channel) + value(2 * x + 1, 2 * y + 1, channel) + 2) /
                    4));
    return half;
}

/// The pixel left of `at` and the next one around the corner, and the share of the latter.
struct Neighbours {
    std::size_t first;
    std::size_t second;
    float share;
};

Neighbours neighbours(float coordinate, int side) {
    const float turn = coordinate - std::floor(coordinate);
    const float at = (turn >= 0 ? turn : 0) * static_cast<float>(side) - 0.5F;
    const float below = std::floor(at);
    const int first = (static_cast<int>(below) + side) % side;
    return {static_cast<std::size_t>(first), static_cast<std::size_t>((first + 1) % side),
            at - below};
}

}  // namespace

Texture::Texture(Image image) {
    levels_.push_back(std::move(image));
    while (levels_.back().width > 1 || levels_.back().height > 1)
        levels_.push_back(halved(levels_.back()));
}

glm::vec3 Texture::at(glm::vec2 coordinate, float level) const {
    const auto last = static_cast<float>(levels_.size() - 1);
    const Image& image =
        levels_[static_cast<std::size_t>(std::lround(std::clamp(level, 0.0F, last)))];
    const Neighbours x = neighbours(coordinate.x, image.width);
    const Neighbours y = neighbours(1 - coordinate.y, image.height);
    const auto pixel = [&](std::size_t column, std::size_t row) {
        const std::uint8_t* rgba =
            &image.rgba[(row * static_cast<std::size_t>(image.width) + column) * 4];
        return glm::vec3(rgba[0], rgba[1], rgba[2]);
    };
    const glm::vec3 above = glm::mix(pixel(x.first, y.first), pixel(x.second, y.first), x.share);
    const glm::vec3 below = glm::mix(pixel(x.first, y.second), pixel(x.second, y.second), x.share);
    return glm::mix(above, below, y.share) / 255.0F;
}

}  // namespace threefold
