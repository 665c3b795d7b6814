#include "engine/sample_rendering/texture.h"

#include <cmath>

#include <gtest/gtest.h>

namespace threefold::test {
namespace {

TEST(Texture, fadesIntoItsMean_farAway) {
    Image checks{64, 64, {}};
    for (int i = 0; i < 64 * 64; ++i) {
        const auto value = static_cast<std::uint8_t>((i / 64 + i) % 2 == 0 ? 0 : 254);
        checks.rgba.insert(checks.rgba.end(), {value, value, value, 255});
    }
    const Texture texture(checks);
    EXPECT_NEAR(texture.at({0.3F, 0.7F}, 3).x, 127 / 255.0, 0.01);
    EXPECT_NEAR(texture.at({-1e30F, 3e38F}, 99).x, 127 / 255.0, 0.01);
    EXPECT_GE(texture.at({HUGE_VALF, NAN}, 0).x, 0);
    EXPECT_NEAR(texture.at({0.5F / 64, 1 - 0.5F / 64}, 0).x, 0, 1e-5);
    EXPECT_NEAR(texture.at({1.5F / 64, 1 - 0.5F / 64}, 0).x, 254 / 255.0, 1e-3);
}

/// A row of four texels with red 0, 80, 160 and 240.
Texture row() {
    Image image{4, 1, {}};
    for (int i = 0; i < 4; ++i)
        for (const int value : {80 * i, 0, 0, 255})
            image.rgba.push_back(static_cast<std::uint8_t>(value));
    return Texture(image);
}

/// Red at the centre of texel `pixel`.
int redAt(const Texture& texture, float pixel, Wrap wrap) {
    return static_cast<int>(
        std::lround(texture.at({(pixel + 0.5F) / 4, 0.5F}, 0, wrap, wrap).x * 255));
}

TEST(Texture, repeatsClampsOrMirrors_beyondItsBorders) {
    const Texture texture = row();
    const int repeated[] = {160, 240, 0, 80, 160, 240, 0, 80, 160, 240, 0};
    const int mirrored[] = {80, 0, 0, 80, 160, 240, 240, 160, 80, 0, 0};
    const int clamped[] = {0, 0, 0, 80, 160, 240, 240, 240, 240, 240, 240};
    for (int i = 0; i < 11; ++i) {
        const auto pixel = static_cast<float>(i - 2);
        EXPECT_EQ(redAt(texture, pixel, Wrap::repeat), repeated[i]) << pixel;
        EXPECT_EQ(redAt(texture, pixel, Wrap::mirror), mirrored[i]) << pixel;
        EXPECT_EQ(redAt(texture, pixel, Wrap::clamp), clamped[i]) << pixel;
    }
    // Between the last and the first texel, only Wrap::repeat blends both.
    EXPECT_EQ(redAt(texture, -0.5F, Wrap::repeat), 120);
    EXPECT_EQ(redAt(texture, -0.5F, Wrap::mirror), 0);
    EXPECT_EQ(redAt(texture, 3.5F, Wrap::clamp), 240);
}

TEST(Texture, givesAColour_atAnyCoordinate) {
    const Texture texture = row();
    for (const Wrap wrap : {Wrap::repeat, Wrap::mirror, Wrap::clamp})
        for (const float odd : {NAN, HUGE_VALF, -HUGE_VALF, 3e38F, -3e38F, -1e-30F}) {
            const glm::vec4 seen = texture.at({odd, odd}, 0, wrap, wrap);
            EXPECT_GE(seen.x, 0) << odd;
            EXPECT_LE(seen.x, 1) << odd;
        }
}

TEST(Texture, ignoresColours_ofTransparentTexels) {
    // A red texel, and a transparent white one.
    const Texture texture(Image{2, 1, {200, 0, 0, 255, 255, 255, 255, 0}});
    EXPECT_TRUE(texture.hasAlpha());
    for (const glm::vec4& seen : {texture.at({0.5F, 0.5F}, 0), texture.at({0.1F, 0.5F}, 1)}) {
        EXPECT_NEAR(seen.x, 200 / 255.0, 1e-5);
        EXPECT_NEAR(seen.y, 0, 1e-5);
        EXPECT_NEAR(seen.w, 0.5, 0.003);
    }
    EXPECT_EQ(texture.at({0.75F, 0.5F}, 0), glm::vec4(0));
    EXPECT_FALSE(row().hasAlpha());
}

}  // namespace
}  // namespace threefold::test
