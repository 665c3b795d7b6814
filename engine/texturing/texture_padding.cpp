#include "engine/texturing/texture_padding.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <glm/vec4.hpp>

#include "engine/texturing/atlas.h"

namespace threefold::texturing {
namespace {

/// Sum of the colours (x, y, z) and number (w) of the painted texels among a texel and its eight
/// neighbours.
glm::vec4 paintedAround(const Image& texture, std::size_t texel) {
    const auto side = static_cast<std::size_t>(texture.width);
    const std::size_t x = texel % side;
    const std::size_t y = texel / side;
    glm::vec4 sum(0.0F);
    for (std::size_t v = y > 0 ? y - 1 : 0; v <= std::min(y + 1, side - 1); ++v)
        for (std::size_t u = x > 0 ? x - 1 : 0; u <= std::min(x + 1, side - 1); ++u) {
            const std::uint8_t* pixel = &texture.rgba[4 * (v * side + u)];
            if (pixel[3] != 0) sum += glm::vec4(pixel[0], pixel[1], pixel[2], 1);
        }
    return sum;
}

/// Paints the texels beside painted ones.
void addRing(Image& texture) {
    std::vector<std::pair<std::size_t, glm::vec3>> ring;
    for (std::size_t texel = 0; texel < texture.rgba.size() / 4; ++texel) {
        if (texture.rgba[4 * texel + 3] != 0) continue;
        const glm::vec4 sum = paintedAround(texture, texel);
        if (sum.w > 0) ring.emplace_back(texel, glm::vec3(sum) / sum.w);
    }
    for (const auto& [texel, colour] : ring) putPixel(&texture.rgba[4 * texel], colour);
}

void fillWithMean(Image& texture) {
    glm::dvec4 sum(0.0);
    for (std::size_t offset = 0; offset < texture.rgba.size(); offset += 4) {
        const std::uint8_t* pixel = &texture.rgba[offset];
        if (pixel[3] != 0) sum += glm::dvec4(pixel[0], pixel[1], pixel[2], 1);
    }
    const glm::vec3 mean = sum.w > 0 ? glm::vec3(glm::dvec3(sum) / sum.w) : glm::vec3(128.0F);
    for (std::size_t offset = 0; offset < texture.rgba.size(); offset += 4)
        if (texture.rgba[offset + 3] == 0) putPixel(&texture.rgba[offset], mean);
}

}  // namespace

void putPixel(std::uint8_t* pixel, glm::vec3 colour) {
    for (int i = 0; i < 3; ++i)
        pixel[i] = static_cast<std::uint8_t>(std::lround(std::clamp(colour[i], 0.0F, 255.0F)));
    pixel[3] = 255;
}

void padTexture(Image& texture) {
    for (int ring = 0; ring < kChartPadding; ++ring) addRing(texture);
    fillWithMean(texture);
}

}  // namespace threefold::texturing
