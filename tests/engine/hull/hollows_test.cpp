#include "engine/hull/hollows.h"

#include <gtest/gtest.h>

#include "tests/engine/hull/shapes.h"

namespace threefold::hull {
namespace {

TEST(Hollows, areLessDeep_byTheSurfacesThickness) {
    constexpr float kThickness = 0.003F;
    const Hollows hollows(test::pit(0.12F), {}, 1, {});
    const glm::dvec3 aboveTheFloor(0, 0.1 - 0.12 + 0.004, 0);
    const float depth = hollows.depth(aboveTheFloor, 0);
    EXPECT_GT(depth, kThickness);
    EXPECT_FLOAT_EQ(hollows.depth(aboveTheFloor, kThickness), depth - kThickness);
}

}  // namespace
}  // namespace threefold::hull
