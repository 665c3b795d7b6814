#include "engine/stereo/fusion.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/hull/shapes.h"

namespace threefold::stereo {
namespace {

constexpr int kWallSide = 64;
constexpr float kWallDepth = 0.8F;
constexpr float kWallLabelSpacing = 0.01F;
constexpr float kWallTruncation = 0.05F;

/// A wall at one depth in front of one camera, and a grid around the origin.
struct Wall {
    Wall() {
        const Camera camera = test::camerasAround(1).front();
        constexpr std::size_t kPixels = kWallSide * kWallSide;
        views.emplace_back(camera, kWallSide);
        DepthMap map;
        map.depth.assign(kPixels, kWallDepth);
        map.labelSpacing = kWallLabelSpacing;
        maps.push_back(std::move(map));
        votes.push_back({std::vector<float>(kPixels, 0.5F)});
        grid.spacing = 0.02;
        grid.first = glm::ivec3(-6);
        grid.size = glm::ivec3(13);
        inside.assign(grid.count(), 1);
    }

    FusedDistance fused(float surfaceOffsetLabels, int threads = 1) const {
        return fuse({.grid = grid,
                     .inside = inside,
                     .views = views,
                     .maps = maps,
                     .votes = votes,
                     .truncation = kWallTruncation,
                     .surfaceOffsetLabels = surfaceOffsetLabels},
                    threads, {});
    }

    std::vector<StereoView> views;
    std::vector<DepthMap> maps;
    std::vector<DepthVotes> votes;
    VoxelGrid grid;
    std::vector<std::uint8_t> inside;
};

/// Expects each grid point to have the vote of a wall at `depth`.
void expectVotes(const Wall& wall, const FusedDistance& fused, float depth) {
    for (int x = 0; x < wall.grid.size.x; ++x)
        for (int y = 0; y < wall.grid.size.y; ++y)
            for (int z = 0; z < wall.grid.size.z; ++z) {
                const glm::ivec3 at(x, y, z);
                const std::size_t index = wall.grid.index(at);
                const auto seen =
                    static_cast<float>(wall.views[0].projection.project(wall.grid.position(at)).z);
                const float expected = (depth - seen) / kWallTruncation;
                if (std::abs(expected + 1) < 1e-4F)
                    // One truncation behind the wall, rounding decides whether a point has a vote.
                    continue;
                EXPECT_EQ(fused.weight[index], expected < -1 ? 0 : 0.5F);
                EXPECT_NEAR(fused.distance[index], expected < -1 ? 0 : std::min(expected, 1.0F),
                            1e-4F);
            }
}

TEST(Fusion, isTheDistanceToTheWall_inTruncations) {
    const Wall wall;
    expectVotes(wall, wall.fused(0), kWallDepth);
}

TEST(Fusion, bringsSurfacesNearer_byTheGivenLabels) {
    const Wall wall;
    expectVotes(wall, wall.fused(2), kWallDepth - 2 * kWallLabelSpacing);
}

TEST(Fusion, ignoresOutsidePoints_andIsTheSameWithAnyThreads) {
    Wall wall;
    wall.inside[7] = 0;
    const FusedDistance one = wall.fused(0);
    EXPECT_EQ(one.weight[7], 0);
    const FusedDistance three = wall.fused(0, 3);
    EXPECT_EQ(one.distance, three.distance);
    EXPECT_EQ(one.weight, three.weight);
}

}  // namespace
}  // namespace threefold::stereo
