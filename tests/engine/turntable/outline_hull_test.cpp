#include "engine/turntable/outline_hull.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace threefold::test {
namespace {

/// Picture of 20 × 20 pixels and focal length 10, whose object fills the columns from `left` to 14
/// and the rows from 5 to 11.
PosedMask rectangleFrom(int left) {
    PosedMask view;
    view.lens.width = view.lens.height = 20;
    view.lens.focalX = view.lens.focalY = 10;
    view.lens.principalX = view.lens.principalY = 10;
    view.mask = {20, 20, std::vector<std::uint8_t>(400)};
    for (int y = 5; y < 12; ++y)
        for (int x = left; x < 15; ++x) view.mask.inside[static_cast<std::size_t>(20 * y + x)] = 1;
    return view;
}

TEST(OutlineHull, boundsTheMask_atFocalLength1) {
    const turntable::OutlineHull hull = turntable::outlineHullOf(rectangleFrom(5));
    ASSERT_GE(hull.size(), 4U);
    const auto [left, right] = std::ranges::minmax(hull, {}, &glm::dvec2::x);
    const auto [low, high] = std::ranges::minmax(hull, {}, &glm::dvec2::y);
    EXPECT_NEAR(left.x, -0.45, 1e-9);
    EXPECT_NEAR(right.x, 0.45, 1e-9);
    EXPECT_NEAR(low.y, -0.15, 1e-9) << "y is up";
    EXPECT_NEAR(high.y, 0.45, 1e-9);
}

TEST(OutlineHull, isEmpty_whenTheMaskIsEmptyOrReachesTheBorder) {
    EXPECT_TRUE(turntable::outlineHullOf(rectangleFrom(15)).empty());
    EXPECT_TRUE(turntable::outlineHullOf(rectangleFrom(0)).empty());
}

TEST(OutlineHull, isCounted_unlessItIsEmpty) {
    const std::vector<turntable::OutlineHull> hulls{
        turntable::outlineHullOf(rectangleFrom(5)), {}, turntable::outlineHullOf(rectangleFrom(8))};
    EXPECT_EQ(turntable::wholeOutlineCount(hulls), 2U);
}

}  // namespace
}  // namespace threefold::test
