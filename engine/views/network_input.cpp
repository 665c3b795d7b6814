#include "engine/views/network_input.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <fmt/core.h>
#include <glm/geometric.hpp>

#include "engine/error.h"

namespace threefold {
namespace {

constexpr std::size_t kSide = kInputSide;
constexpr std::size_t kChannels = 3;
constexpr std::size_t kRow = kSide * kChannels;

/// Weight 1 in 11-bit fixed point, as in OpenCV.
constexpr float kWeightOne = 2048.0f;

/// Two source pixels and their weights for one output pixel, along one axis.
struct PixelPair {
    std::size_t first, second;
    std::int32_t firstWeight, secondWeight;
};
using AxisWeights = std::array<PixelPair, kSide>;
using FixedRow = std::array<std::int32_t, kRow>;

/// Clamping at the border: weights and positions, or positions alone. OpenCV clamps the weights of
/// columns and not of rows; the sums are equal, but not their rounding.
enum class Border { clampWeights, clampPositionsOnly };

AxisWeights axisWeights(std::size_t source, Border border) {
    const double scale = 1.0 / (static_cast<double>(kSide) / static_cast<double>(source));
    const auto last = static_cast<std::int64_t>(source) - 1;
    AxisWeights weights;
    for (std::size_t i = 0; i < kSide; ++i) {
        // Rounds the centre to float before splitting it into position and fraction, as in OpenCV.
        const auto centre = static_cast<float>((static_cast<double>(i) + 0.5) * scale - 0.5);
        auto position = static_cast<std::int64_t>(std::floor(centre));
        float fraction = centre - static_cast<float>(position);
        if (border == Border::clampWeights && (position < 0 || position >= last)) {
            position = std::clamp<std::int64_t>(position, 0, last);
            fraction = 0.0f;
        }
        weights[i] = {static_cast<std::size_t>(std::clamp<std::int64_t>(position, 0, last)),
                      static_cast<std::size_t>(std::clamp<std::int64_t>(position + 1, 0, last)),
                      static_cast<std::int32_t>(std::lrint((1.0f - fraction) * kWeightOne)),
                      static_cast<std::int32_t>(std::lrint(fraction * kWeightOne))};
    }
    return weights;
}

/// Resizes a source row to the output's width, as input of OpenCV's vertical pass: BGR × 2048,
/// shifted right by 4 bits.
void resizeRow(const std::uint8_t* rgba, const AxisWeights& columns, FixedRow& out) {
    for (std::size_t x = 0; x < kSide; ++x) {
        const PixelPair& pair = columns[x];
        const std::uint8_t* first = rgba + 4 * pair.first;
        const std::uint8_t* second = rgba + 4 * pair.second;
        // Makes transparent pixels white without a branch: any byte OR 255 is 255.
        const int firstWhite = first[3] == 0 ? 255 : 0;
        const int secondWhite = second[3] == 0 ? 255 : 0;
        for (std::size_t c = 0; c < kChannels; ++c)
            out[kChannels * x + c] = (pair.firstWeight * (first[2 - c] | firstWhite) +
                                      pair.secondWeight * (second[2 - c] | secondWhite)) >>
                                     4;
    }
}

/// Cache of the two latest rows: output rows need source rows in rising order.
class RowCache {
  public:
    RowCache(const Image& image, const AxisWeights& columns) : image_(image), columns_(columns) {}

    /// Row `index`. The reference stays valid until two other rows have been requested.
    const FixedRow& row(std::size_t index) {
        for (std::size_t slot : {0u, 1u})
            if (cachedRows_[slot] == index) {
                oldest_ = 1 - slot;
                return rows_[slot];
            }
        const std::size_t slot = oldest_;
        const std::size_t stride = 4 * static_cast<std::size_t>(image_.width);
        resizeRow(image_.rgba.data() + index * stride, columns_, rows_[slot]);
        cachedRows_[slot] = index;
        oldest_ = 1 - slot;
        return rows_[slot];
    }

  private:
    const Image& image_;
    const AxisWeights& columns_;
    std::array<FixedRow, 2> rows_{};
    std::array<std::size_t, 2> cachedRows_{SIZE_MAX, SIZE_MAX};
    std::size_t oldest_ = 0;
};

}  // namespace

double depthOffsetFor(const Camera& first) {
    const double distance = glm::length(first.centre);
    return distance - distance / first.zoom;
}

void requireViewCount(const std::string& subject, std::size_t views) {
    if (views < kMinInputViews || views > kMaxInputViews)
        throw InputError({subject, "", fmt::format("{} views chosen", views),
                          fmt::format("Choose {} to {} views.", kMinInputViews, kMaxInputViews)});
}

void requireMinViews(const std::string& subject, std::size_t count, std::string_view noun) {
    if (count < kMinInputViews)
        throw InputError({subject, "",
                          fmt::format("holds {} {}{}", count, noun, count == 1 ? "" : "s"),
                          fmt::format("At least {} views are needed.", kMinInputViews)});
}

void requireValidInput(const NetworkInput& input) {
    const std::size_t views = input.images.size();
    requireViewCount("input", views);
    if (input.cameras.size() != views)
        throw InputError({"input", "",
                          fmt::format("{} images but {} cameras", views, input.cameras.size()),
                          "Give one camera for each image."});
    for (std::size_t i = 0; i < views; ++i) {
        const Image& image = input.images[i];
        const std::string place = fmt::format("view {} of {}", i + 1, views);
        if (!image.isComplete())
            throw InputError({"input", place, "the image is empty or incomplete",
                              "Give an image with at least one pixel."});
        if (!input.cameras[i].isValid())
            throw InputError({"input", place,
                              "the camera has a value that is not finite, or no zoom above 0",
                              "Give a distance above zero and finite angles."});
    }
    if (!std::isfinite(input.depthOffset))
        throw InputError({"input", "", "the depth offset is not finite", "Use depthOffsetFor()."});
}

void preprocess(const Image& image, std::span<float> out) {
    if (!image.isComplete())
        throw InputError({"image", "", "is empty or its size contradicts its pixels",
                          "Give a decoded 8-bit RGBA image."});
    if (out.size() != kSide * kRow)
        throw InputError({"image", "", "the output does not hold 224×224×3 values",
                          "Give a span of 150528 floats."});

    const AxisWeights columns =
        axisWeights(static_cast<std::size_t>(image.width), Border::clampWeights);
    const AxisWeights rows =
        axisWeights(static_cast<std::size_t>(image.height), Border::clampPositionsOnly);
    RowCache cache(image, columns);
    for (std::size_t y = 0; y < kSide; ++y) {
        const PixelPair& pair = rows[y];
        const FixedRow& first = cache.row(pair.first);
        const FixedRow& second = cache.row(pair.second);
        float* target = out.data() + y * kRow;
        for (std::size_t i = 0; i < kRow; ++i) {
            const std::int32_t sum =
                ((pair.firstWeight * first[i]) >> 16) + ((pair.secondWeight * second[i]) >> 16);
            target[i] = static_cast<float>(std::clamp((sum + 2) >> 2, 0, 255)) / 255.0f;
        }
    }
}

}  // namespace threefold
