#include "engine/stereo/hollow_choice.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/raster/camera_depths.h"
#include "engine/stereo/mesh_distance.h"
#include "tests/engine/hull/shapes.h"

namespace threefold::stereo {
namespace {

constexpr int kPictureSide = 96;
constexpr float kPitDepth = 0.07F;

/// A block, the same block with a pit, and views that show one of them.
struct PitScene {
    explicit PitScene(const Mesh& shown, float margin = 0.3F)
        : grid(VoxelGrid::around(block, 40, 3)) {
        const auto maxDistance = static_cast<float>(3 * grid.spacing);
        plain = signedDistance(grid, block, maxDistance, 2, {});
        hollow = signedDistance(grid, withPit, maxDistance, 2, {});
        for (const Camera& camera : test::camerasAround(16)) {
            views.emplace_back(camera, kPictureSide);
            DepthMap map;
            map.depth = map.searchDepth = cameraDepths(shown, camera, kPictureSide);
            map.score.assign(map.depth.size(), 0.8F);
            map.margin.assign(map.depth.size(), margin);
            maps.push_back(std::move(map));
            support.push_back({std::vector<std::uint16_t>(maps.back().depth.size(), 3),
                               std::vector<std::uint16_t>(maps.back().depth.size())});
            floors.push_back(cameraDepths(withPit, camera, kPictureSide));
        }
    }

    std::vector<float> weights(int threads = 2) const {
        return weightsWithoutHollows(grid, {plain, hollow, floors}, {views, maps, support}, threads,
                                     {});
    }

    /// Mean weight of the points within the pit.
    double meanInPit() const {
        const std::vector<float> all = weights();
        double sum = 0;
        double count = 0;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (plain[i] < 0 && hollow[i] > 0) {
                sum += all[i];
                ++count;
            }
        return sum / count;
    }

    Mesh block = test::pit(0.001F);
    Mesh withPit = test::pit(kPitDepth);
    VoxelGrid grid;
    std::vector<float> plain;
    std::vector<float> hollow;
    std::vector<StereoView> views;
    std::vector<DepthMap> maps;
    std::vector<ViewSupport> support;
    std::vector<std::vector<float>> floors;
};

TEST(HollowChoice, isPlain_whenPhotographsShowASurfaceAcrossTheHollow) {
    EXPECT_GT(PitScene(test::pit(0.001F)).meanInPit(), 0.9);
}

TEST(HollowChoice, isHollow_whenPhotographsLookIntoTheHollow) {
    EXPECT_LT(PitScene(test::pit(kPitDepth)).meanInPit(), 0.02);
}

TEST(HollowChoice, isHollow_whenDepthsHaveNoMargin) {
    EXPECT_EQ(PitScene(test::pit(0.001F), 0).meanInPit(), 0);
}

TEST(HollowChoice, isTheSame_withAnyNumberOfThreads) {
    const PitScene scene(test::pit(0.03F));
    EXPECT_EQ(scene.weights(1), scene.weights(3));
}

}  // namespace
}  // namespace threefold::stereo
