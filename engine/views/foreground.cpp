#include "engine/views/foreground.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace threefold {
namespace {

constexpr std::uint8_t kWhite = 246;
constexpr std::uint8_t kHalfOpaque = 128;

bool coversBorder(const Mask& mask) {
    const auto width = static_cast<std::size_t>(mask.width);
    const auto height = static_cast<std::size_t>(mask.height);
    const auto count = [&](std::size_t first, std::size_t step, std::size_t pixels) {
        std::size_t inside = 0;
        for (std::size_t i = 0; i < pixels; ++i) inside += mask.inside[first + i * step];
        return inside;
    };
    const std::array sides{count(0, 1, width), count((height - 1) * width, 1, width),
                           count(0, width, height), count(width - 1, width, height)};
    const std::size_t border = 2 * (width + height);
    return std::ranges::count(sides, 0U) == 0 &&
           2 * std::accumulate(sides.begin(), sides.end(), std::size_t{0}) > border;
}

}  // namespace

std::optional<Mask> foregroundOf(const Image& image) {
    const std::vector<std::uint8_t>& rgba = image.rgba;
    bool transparent = false;
    for (std::size_t i = 3; i < rgba.size() && !transparent; i += 4)
        transparent = rgba[i] < kHalfOpaque;

    Mask mask{image.width, image.height, std::vector<std::uint8_t>(rgba.size() / 4)};
    std::size_t count = 0;
    for (std::size_t i = 0; i < mask.inside.size(); ++i) {
        const std::uint8_t* pixel = rgba.data() + 4 * i;
        const bool white = pixel[0] >= kWhite && pixel[1] >= kWhite && pixel[2] >= kWhite;
        const bool object = transparent ? pixel[3] >= kHalfOpaque : !white;
        mask.inside[i] = object ? 1 : 0;
        count += object ? 1 : 0;
    }
    if (count == 0 || count == mask.inside.size()) return std::nullopt;
    if (!transparent && coversBorder(mask)) return std::nullopt;
    return mask;
}

}  // namespace threefold
