#include "engine/views/mask.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/error.h"

namespace threefold {
namespace {

TEST(Mask, isMixed_whenItHasObjectAndBackground) {
    EXPECT_TRUE(hasObjectAndBackground(Mask{2, 1, {0, 1}}));
    EXPECT_FALSE(hasObjectAndBackground(Mask{2, 1, {0, 0}}));
    EXPECT_FALSE(hasObjectAndBackground(Mask{2, 1, {1, 1}}));
    EXPECT_FALSE(hasObjectAndBackground(Mask{}));
}

TEST(Mask, isInvalid_whenAnArrayHasAnotherSize) {
    const auto problemOf = [](const Mask& mask) -> std::string {
        try {
            requireValidMask(mask);
        } catch (const InputError& error) {
            return error.report().place + " " + error.report().problem;
        }
        return {};
    };
    EXPECT_EQ(problemOf({2, 2, {1, 0, 0, 0}}), "");
    EXPECT_EQ(problemOf({2, 2, {1, 0, 0, 0}, {1, 1, 1, 1}}), "");
    EXPECT_EQ(problemOf({2, 2, {1, 0, 0}, {1, 1, 1}}), "array 'inside' has 3 pixels, expected 2×2");
    EXPECT_EQ(problemOf({2, 2, {1, 0, 0, 0}, {1, 1, 1}}),
              "array 'known' has 3 pixels, expected 2×2 or none");
}

TEST(Mask, keepsWhichPixelsAreKnown_whenItIsResized) {
    const Mask mask{4, 2, {1, 1, 0, 0, 1, 1, 0, 0}, {1, 1, 0, 0, 1, 1, 0, 0}};
    const Mask half = resized(mask, 2, 1);
    EXPECT_EQ(half.inside, (std::vector<std::uint8_t>{1, 0}));
    EXPECT_EQ(half.known, (std::vector<std::uint8_t>{1, 0}));
}

TEST(Mask, isReducedInProportion_onlyWhereItIsLarger) {
    const Mask mask{4, 2, {1, 1, 0, 0, 1, 1, 0, 0}};
    EXPECT_EQ(withMaxSide(mask, 4).inside, mask.inside);
    const Mask half = withMaxSide(mask, 2);
    EXPECT_EQ(half.width, 2);
    EXPECT_EQ(half.height, 1);
    EXPECT_TRUE(half.known.empty());
    EXPECT_EQ(withMaxSide(Mask{8, 1, std::vector<std::uint8_t>(8, 1)}, 2).height, 1);
}

TEST(Mask, growsAndShrinks_byItsNeighbours) {
    Mask mask{5, 5, std::vector<std::uint8_t>(25)};
    mask.inside[12] = 1;
    EXPECT_EQ(std::ranges::count(dilated(mask).inside, 1), 9);
    EXPECT_EQ(std::ranges::count(dilated(mask, Connectivity::four).inside, 1), 5);
    EXPECT_EQ(eroded(dilated(mask)).inside, mask.inside);
    mask.inside.assign(25, 1);
    EXPECT_EQ(eroded(mask).inside, mask.inside) << "pixels beyond the border erode nothing";
}

}  // namespace
}  // namespace threefold
