#include "render/straight_alpha.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace threefold::render {
namespace {

std::uint8_t toByte(float value) {
    return static_cast<std::uint8_t>(std::lround(255.0F * std::clamp(value, 0.0F, 1.0F)));
}

}  // namespace

glm::vec4 premultiplied(glm::vec4 background) {
    const float alpha = std::clamp(background.w, 0.0F, 1.0F);
    return {background.x * alpha, background.y * alpha, background.z * alpha, alpha};
}

void unpremultiply(std::span<std::uint8_t> rgba, glm::vec4 background) {
    if (background.w >= 1.0F) return;
    const std::array exact{toByte(background.x), toByte(background.y), toByte(background.z),
                           toByte(background.w)};
    for (std::size_t i = 0; i + 4 <= rgba.size(); i += 4) {
        const std::span<std::uint8_t> pixel = rgba.subspan(i, 4);
        const int alpha = pixel[3];
        // The mesh is opaque: this much alpha and no more means that it covers no sample.
        if (alpha <= exact[3]) {
            std::copy(exact.begin(), exact.end(), pixel.begin());
            continue;
        }
        for (std::size_t c = 0; c < 3; ++c) {
            const int straight = (255 * pixel[c] + alpha / 2) / alpha;
            pixel[c] = static_cast<std::uint8_t>(std::min(255, straight));
        }
    }
}

}  // namespace threefold::render
