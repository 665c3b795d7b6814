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

/// The mean of four pixels, weighted by alpha.
void appendMean(const std::uint8_t* const (&four)[4], std::vector<std::uint8_t>& rgba) {
    int weight = 0;
    for (const std::uint8_t* pixel : four) weight += pixel[3];
    if (weight == 4 * 255) {  // without the divisions, which take longest
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

/// A side of one pixel stays one; the last column or row of an odd side counts twice.
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

/// The pixel left of a place and the one right of it, and the share of the latter.
struct Neighbours {
    std::size_t first;
    std::size_t second;
    float share;
};

/// The coordinate modulo `turn`; NaN becomes 0.
float within(float coordinate, float turn) {
    const float rest = coordinate - turn * std::floor(coordinate / turn);
    return rest >= 0 ? std::min(rest, turn) : 0;
}

Neighbours neighbours(float coordinate, int side, Wrap wrap) {
    float place = 0;
    if (wrap == Wrap::repeat) {
        place = within(coordinate, 1);
    } else if (wrap == Wrap::mirror) {
        place = within(coordinate, 2);
        if (place > 1) place = 2 - place;
    } else if (coordinate > 0) {
        place = std::min(coordinate, 1.0F);
    }
    const float at = place * static_cast<float>(side) - 0.5F;
    const float below = std::floor(at);
    const int first = static_cast<int>(below);
    if (wrap == Wrap::repeat) {
        const int turned = (first + side) % side;
        return {static_cast<std::size_t>(turned), static_cast<std::size_t>((turned + 1) % side),
                at - below};
    }
    return {static_cast<std::size_t>(std::max(first, 0)),
            static_cast<std::size_t>(std::min(first + 1, side - 1)), at - below};
}

}  // namespace

Texture::Texture(Image image) {
    for (std::size_t i = 3; i < image.rgba.size() && !hasAlpha_; i += kChannels)
        hasAlpha_ = image.rgba[i] != 255;
    levels_.push_back(std::move(image));
    while (levels_.back().width > 1 || levels_.back().height > 1)
        levels_.push_back(halved(levels_.back()));
}

glm::vec4 Texture::at(glm::vec2 coordinate, float level, Wrap across, Wrap up) const {
    const auto last = static_cast<float>(levels_.size() - 1);
    const Image& image =
        levels_[static_cast<std::size_t>(std::lround(std::clamp(level, 0.0F, last)))];
    const Neighbours x = neighbours(coordinate.x, image.width, across);
    const Neighbours y = neighbours(1 - coordinate.y, image.height, up);
    const auto at = [&](std::size_t column, std::size_t row) {
        return &image.rgba[(row * static_cast<std::size_t>(image.width) + column) * kChannels];
    };
    if (!hasAlpha_) {
        const auto pixel = [&](std::size_t column, std::size_t row) {
            const std::uint8_t* rgb = at(column, row);
            return glm::vec3(rgb[0], rgb[1], rgb[2]);
        };
        const glm::vec3 above =
            glm::mix(pixel(x.first, y.first), pixel(x.second, y.first), x.share);
        const glm::vec3 below =
            glm::mix(pixel(x.first, y.second), pixel(x.second, y.second), x.share);
        return {glm::mix(above, below, y.share) / kOpaque, 1};
    }
    const auto pixel = [&](std::size_t column, std::size_t row) {
        const std::uint8_t* rgba = at(column, row);
        const float alpha = rgba[3];
        return glm::vec4(glm::vec3(rgba[0], rgba[1], rgba[2]) * alpha, alpha);
    };
    const glm::vec4 above = glm::mix(pixel(x.first, y.first), pixel(x.second, y.first), x.share);
    const glm::vec4 below = glm::mix(pixel(x.first, y.second), pixel(x.second, y.second), x.share);
    const glm::vec4 sum = glm::mix(above, below, y.share);
    if (!(sum.w > 0)) return glm::vec4(0.0F);
    return {glm::vec3(sum) / (sum.w * kOpaque), sum.w / kOpaque};
}

}  // namespace threefold
