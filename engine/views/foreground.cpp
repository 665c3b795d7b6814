#include "engine/views/foreground.h"

namespace threefold {
namespace {

constexpr std::uint8_t kWhite = 246;
constexpr std::uint8_t kHalfOpaque = 128;

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
    return mask;
}

}  // namespace threefold
