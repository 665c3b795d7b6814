#include "engine/cutout/seeded_cutout.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/random_numbers.h"

namespace threefold::test {
namespace {

constexpr int kPictureSide = 120;

std::size_t pixelAt(int x, int y) {
    return static_cast<std::size_t>(y) * kPictureSide + static_cast<std::size_t>(x);
}

bool inLeftDisc(int x, int y) {
    return std::hypot(x + 0.5 - 40, y + 0.5 - 60) < 24;
}

bool inRightDisc(int x, int y) {
    return std::hypot(x + 0.5 - 95, y + 0.5 - 60) < 12;
}

/// Two reddish discs on greenish, noisy ground, and seeds of half the picture's size. The seeds
/// mark most of the left disc as probable object, a ring around that part as probable background,
/// and all else as background.
class SeededCutout : public testing::Test {
  protected:
    SeededCutout() {
        RandomGenerator random(1, "seeded cutout");
        for (int y = 0; y < kPictureSide; ++y)
            for (int x = 0; x < kPictureSide; ++x) {
                const bool isRed = inLeftDisc(x, y) || inRightDisc(x, y);
                for (const double value : {isRed ? 190.0 : 70.0, isRed ? 80.0 : 120.0, 60.0})
                    picture_.rgba.push_back(
                        static_cast<std::uint8_t>(value + random.uniform(-8, 8)));
                picture_.rgba.push_back(255);
            }
        seeds_.width = seeds_.height = kPictureSide / 2;
        for (int y = 0; y < seeds_.height; ++y)
            for (int x = 0; x < seeds_.width; ++x) {
                const double distance = std::hypot(2 * x + 1 - 40, 2 * y + 1 - 60);
                seeds_.labels.push_back(distance < 20   ? SeedLabel::probableObject
                                        : distance < 32 ? SeedLabel::probableBackground
                                                        : SeedLabel::background);
            }
    }

    Mask cut() const { return cutOutWithSeeds(picture_, seeds_, "picture"); }

    Image picture_{kPictureSide, kPictureSide, {}};
    CutoutSeeds seeds_;
};

TEST_F(SeededCutout, findsTheObjectByItsColour_whenTheSeedsAreSmaller) {
    const Mask mask = cut();
    int both = 0, either = 0;
    for (int y = 0; y < kPictureSide; ++y)
        for (int x = 0; x < kPictureSide; ++x) {
            const bool isInside = mask.inside[pixelAt(x, y)] == 1;
            both += isInside && inLeftDisc(x, y) ? 1 : 0;
            either += isInside || inLeftDisc(x, y) ? 1 : 0;
        }
    EXPECT_GT(both, 0.93 * either);
}

TEST_F(SeededCutout, leavesOutCertainBackground_whenItHasTheObjectsColour) {
    const Mask mask = cut();
    for (int y = 0; y < kPictureSide; ++y)
        for (int x = 80; x < kPictureSide; ++x)
            ASSERT_EQ(mask.inside[pixelAt(x, y)], 0) << x << ", " << y;
}

TEST_F(SeededCutout, leavesOutTransparentPixels) {
    constexpr int kMiddle = 40;  // x of the left disc's middle
    for (int y = 0; y < kPictureSide; ++y)
        for (int x = 0; x < kMiddle; ++x) picture_.rgba[4 * pixelAt(x, y) + 3] = 0;
    const Mask mask = cut();
    for (int y = 0; y < kPictureSide; ++y)
        for (int x = 0; x < kMiddle; ++x)
            ASSERT_EQ(mask.inside[pixelAt(x, y)], 0) << x << ", " << y;
    EXPECT_EQ(mask.inside[pixelAt(kMiddle + 10, 60)], 1);
}

TEST_F(SeededCutout, isEmpty_whenAllSeedsAreBackground) {
    std::ranges::fill(seeds_.labels, SeedLabel::background);
    const Mask mask = cut();
    EXPECT_EQ(mask.width, kPictureSide);
    EXPECT_EQ(mask.height, kPictureSide);
    EXPECT_THAT(mask.inside, testing::Each(0));
}

TEST_F(SeededCutout, isTheSame_whenRepeated) {
    EXPECT_EQ(cut().inside, cut().inside);
}

}  // namespace
}  // namespace threefold::test
