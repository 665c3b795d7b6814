#include "engine/texturing/texture_padding.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "engine/texturing/atlas.h"

namespace threefold::texturing {
namespace {

constexpr int kSide = 32;

Image transparent() {
    return {kSide, kSide, std::vector<std::uint8_t>(std::size_t{4} * kSide * kSide)};
}

std::uint8_t* texel(Image& texture, int x, int y) {
    return &texture.rgba[4 * static_cast<std::size_t>(y * kSide + x)];
}

TEST(PutPixel, roundsAndClamps) {
    std::array<std::uint8_t, 4> pixel{};
    putPixel(pixel.data(), {-3.0F, 99.6F, 300.0F});
    EXPECT_EQ(pixel, (std::array<std::uint8_t, 4>{0, 100, 255, 255}));
}

TEST(PadTexture, growsRingsAroundPaintedTexels_andFillsTheRestWithTheMean) {
    Image texture = transparent();
    putPixel(texel(texture, 8, 16), {200, 0, 0});
    putPixel(texel(texture, 24, 16), {100, 0, 0});
    padTexture(texture);
    EXPECT_EQ(texel(texture, 8 - kChartPadding, 16 + kChartPadding)[0], 200);
    EXPECT_EQ(texel(texture, 24 + kChartPadding, 16)[0], 100);
    EXPECT_EQ(texel(texture, 16, 0)[0], 150) << "the mean of the painted texels";
    for (std::size_t i = 3; i < texture.rgba.size(); i += 4) ASSERT_EQ(texture.rgba[i], 255);
}

TEST(PadTexture, isGrey_whenNothingIsPainted) {
    Image texture = transparent();
    padTexture(texture);
    EXPECT_EQ(texel(texture, 5, 5)[0], 128);
    EXPECT_EQ(texel(texture, 5, 5)[3], 255);
}

}  // namespace
}  // namespace threefold::texturing
