#include "engine/metrics/near_surface.h"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace threefold {
namespace {

using testing::ElementsAre;

const Points kCorners = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}};
const Faces kTriangle = {{0, 1, 2}};

TEST(NearSurface, measuresToTheTriangle_notToItsVertices) {
    const Points points = {{0.5F, 0.5F, 0.09F},   // above its inside, far from all vertices
                           {0.5F, 0.5F, 0.11F},   // too high
                           {1, -0.09F, 0},        // beside an edge
                           {1, -0.11F, 0},        //
                           {1.06F, 1.06F, 0},     // beside the long edge
                           {1.08F, 1.08F, 0},     //
                           {-0.06F, -0.06F, 0},   // beside a vertex
                           {-0.08F, -0.08F, 0}};  //
    EXPECT_THAT(nearSurface(points, kCorners, kTriangle, 0.1),
                ElementsAre(true, false, true, false, true, false, true, false));
}

TEST(NearSurface, isTheSame_whateverTheOrderOfTheCorners_andForTrianglesWithoutArea) {
    const Points points = {{0.5F, 0.5F, -0.05F}, {1, 0.05F, 0}};
    EXPECT_THAT(nearSurface(points, kCorners, Faces{{2, 1, 0}}, 0.1), ElementsAre(true, true));
    EXPECT_THAT(nearSurface(points, kCorners, Faces{{0, 1, 1}}, 0.1), ElementsAre(false, true));
    EXPECT_THAT(nearSurface(points, kCorners, Faces{}, 0.1), ElementsAre(false, false));
    EXPECT_TRUE(nearSurface({}, kCorners, kTriangle, 0.1).empty());
}

// Large triangles are looked up by the points' cells, small ones by their own.
TEST(NearSurface, isTheSame_forATriangleAndItsParts) {
    Points corners;
    Faces parts;
    constexpr int kSteps = 40;
    for (int i = 0; i < kSteps; ++i)
        for (int j = 0; i + j < kSteps; ++j) {
            const auto add = [&](int x, int y) {
                corners.emplace_back(2.0F * x / kSteps, 2.0F * y / kSteps, 0);
                return static_cast<std::uint32_t>(corners.size() - 1);
            };
            parts.emplace_back(add(i, j), add(i + 1, j), add(i, j + 1));
            if (i + j + 2 <= kSteps)
                parts.emplace_back(add(i + 1, j), add(i + 1, j + 1), add(i, j + 1));
        }
    std::mt19937 random(3);
    std::uniform_real_distribution<float> within(-0.3F, 2.3F);
    std::uniform_real_distribution<float> height(-0.1F, 0.1F);
    Points points;
    for (int i = 0; i < 2000; ++i)
        points.emplace_back(within(random), within(random), height(random));
    const std::vector<bool> whole = nearSurface(points, kCorners, kTriangle, 0.05);
    EXPECT_EQ(whole, nearSurface(points, corners, parts, 0.05));
    EXPECT_THAT(whole, testing::Contains(true));
    EXPECT_THAT(whole, testing::Contains(false));
}

}  // namespace
}  // namespace threefold
