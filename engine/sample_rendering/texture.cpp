#include "engine/sample_rendering/texture.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <glm/common.hpp>
#include <glm/vec3.hpp>

namespace threefold {
namespace {

constexpr std::size_t kChannels = 4;
constexpr float kOpaque = 255;

std::uint8_t rounded(int sum, int count) {
    return static_cast<std::uint8_t>((sum + count / 2) / count);
}

/// Appends the alpha-weighted mean of four pixels.
void appendMean(const std::uint8_t* const (&four)[4], std::vector<std::uint8_t>& rgba) {
    int weight = 0;
    for (const std::uint8_t* pixel : four) weight += pixel[3];
    if (weight == 4 * 255) {  // skips the divisions, which dominate the time
        for (std::size_t channel = 0; channel < 3; ++channel)
            rgba.push_back(rounded(
                four[0][channel] + four[1][channel] + four[2][channel] + four[3][channel], 4));
        rgba.push_back(255);
        return;
    }
    for (std::size_t channel = 0; channel < 3; ++channel) {
        int sum = 0;
        for (const std::uint8_t* pixel : four)
            sum += pixel[channel] * (weight > 0 ? int{pixel[3]} : 1);
        rgba.push_back(rounded(sum, weight > 0 ? weight : 4));
    }
    rgba.push_back(rounded(weight, 4));
}

/// Halves an image. A side of one pixel stays; the last column or row of a longer odd side is
/// dropped.
Image halved(const Image& image) {
    Image half;
    half.width = std::max(image.width / 2, 1);
    half.height = std::max(image.height / 2, 1);
    half.rgba.reserve(static_cast<std::size_t>(half.width) * static_cast<std::size_t>(half.height) *
                      kChannels);
    const auto pixel = [&](int x, int y) {
        const auto column = static_cast<std::size_t>(std::min(x, image.width - 1));
        const auto row = static_cast<std::size_t>(std::min(y, image.height - 1));
        return &image.rgba[(row * static_cast<std::size_t>(image.width) + column) * kChannels];
    };
    for (int y = 0; y < half.height; ++y)
        for (int x = 0; x < half.width; ++x)
            appendMean({pixel(2 * x, 2 * y), pixel(2 * x + 1, 2 * y), pixel(2 * x, 2 * y + 1),
                        pixel(2 * x + 1, 2 * y + 1)},
                       half.rgba);
    return half;
}

/// Pixels left and right of a position, and the weight of the right one.
struct PixelNeighbours {
    std::size_t first;
    std::size_t second;
    float secondWeight;
};

/// Coordinate modulo `period`; NaN becomes 0.
float within(float coordinate, float period) {
    const float remainder = coordinate - period * std::floor(coordinate / period);
    return remainder >= 0 ? std::min(remainder, period) : 0;
}

PixelNeighbours neighbours(float coordinate, int side, Wrap wrap) {
    float position = 0;
    if (wrap == Wrap::repeat) {
        position = within(coordinate, 1);
    } else if (wrap == Wrap::mirror) {
        position = within(coordinate, 2);
        if (position > 1) position = 2 - position;
    } else if (coordinate > 0) {
        position = std::min(coordinate, 1.0F);
    }
    const float pixel = position * static_cast<float>(side) - 0.5F;
    const float below = std::floor(pixel);
    const int first = static_cast<int>(below);
    if (wrap == Wrap::repeat) {
        const int wrapped = (first + side) % side;
        return {static_cast<std::size_t>(wrapped), static_cast<std::size_t>((wrapped + 1) % side),
                pixel - below};
    }
    return {static_cast<std::size_t>(std::max(first, 0)),
            static_cast<std::size_t>(std::min(first + 1, side - 1)), pixel - below};
}

}  // namespace

Texture::Texture(Image image) {
    for (std::size_t i = 3; i < image.rgba.size() && !hasAlpha_; i += kChannels)
        hasAlpha_ = image.rgba[i] != 255;
    levels_.push_back(std::move(image));
    while (levels_.back().width > 1 || levels_.back().height > 1)
        levels_.push_back(halved(levels_.back()));
}

glm::vec4 Texture::at(glm::vec2 coordinate, float level, Wrap wrapS, Wrap wrapT) const {
    const auto last = static_cast<float>(levels_.size() - 1);
    const Image& image =
        levels_[static_cast<std::size_t>(std::lround(std::clamp(level, 0.0F, last)))];
    const PixelNeighbours x = neighbours(coordinate.x, image.width, wrapS);
    const PixelNeighbours y = neighbours(1 - coordinate.y, image.height, wrapT);
    const auto pixelAt = [&](std::size_t column, std::size_t row) {
        return &image.rgba[(row * static_cast<std::size_t>(image.width) + column) * kChannels];
    };
    const auto interpolated = [&](const auto& pixel) {
        const auto above =
            glm::mix(pixel(x.first, y.first), pixel(x.second, y.first), x.secondWeight);
        const auto below =
            glm::mix(pixel(x.first, y.second), pixel(x.second, y.second), x.secondWeight);
        return glm::mix(above, below, y.secondWeight);
    };
    if (!hasAlpha_) {
        const auto pixel = [&](std::size_t column, std::size_t row) {
            const std::uint8_t* rgb = pixelAt(column, row);
            return glm::vec3(rgb[0], rgb[1], rgb[2]);
        };
        return {interpolated(pixel) / kOpaque, 1};
    }
    const glm::vec4 sum = interpolated([&](std::size_t column, std::size_t row) {
        const std::uint8_t* rgba = pixelAt(column, row);
        const float alpha = rgba[3];
        return glm::vec4(glm::vec3(rgba[0], rgba[1], rgba[2]) * alpha, alpha);
    });
    if (!(sum.w > 0)) return glm::vec4(0.0F);
    return {glm::vec3(sum) / (sum.w * kOpaque), sum.w / kOpaque};
}

}  // namespace threefold
