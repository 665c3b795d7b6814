#include "engine/views/foreground.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace threefold {
namespace {

constexpr std::uint8_t kWhite = 246;
constexpr std::uint8_t kHalfOpaque = 128;

bool coversBorder(const Mask& mask) {
    std::array<std::size_t, 4> sides{};
    for (std::size_t i = 0; i < mask.inside.size(); ++i) {
        const auto x = static_cast<int>(i) % mask.width;
        const auto y = static_cast<int>(i) / mask.width;
        const std::array atSide{y == 0, y + 1 == mask.height, x == 0, x + 1 == mask.width};
        for (std::size_t side = 0; side < atSide.size(); ++side)
            sides[side] += atSide[side] ? mask.inside[i] : 0U;
    }
    const auto border = 2 * (static_cast<std::size_t>(mask.width) + mask.height);
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
