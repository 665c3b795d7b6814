#include "engine/stereo/depth_field.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/raster/camera_depths.h"
#include "tests/engine/hull/shapes.h"

namespace threefold::stereo {
namespace {

constexpr int kFieldViewSide = 96;

/// Views of a mesh with its exact depth maps, or with empty depth maps if `shown` is null.
struct FieldViews {
    FieldViews(const Mesh* shown, int count) {
        const std::size_t pixels = std::size_t{kFieldViewSide} * kFieldViewSide;
        for (const Camera& camera : test::camerasAround(count)) {
            views.emplace_back(camera, kFieldViewSide);
            DepthMap map;
            map.depth = shown != nullptr ? cameraDepths(*shown, camera, kFieldViewSide)
                                         : std::vector<float>(pixels);
            map.searchDepth = map.depth;
            map.score.assign(pixels, 0.8F);
            map.margin.assign(pixels, 0.3F);
            map.labelSpacing = 0.01F;
            maps.push_back(std::move(map));
            support.push_back(
                {std::vector<std::uint16_t>(pixels, 3), std::vector<std::uint16_t>(pixels)});
        }
    }

    MatchedViews matched() const { return {views, maps, support}; }

    std::vector<StereoView> views;
    std::vector<DepthMap> maps;
    std::vector<ViewSupport> support;
};

/// test::sphere() with outward faces.
Mesh outwardBall(double radius) {
    Mesh mesh = test::sphere(radius);
    for (glm::u32vec3& face : mesh.faces) std::swap(face[1], face[2]);
    return mesh;
}

/// A ball as start mesh, and bounds by silhouettes around or within the ball.
struct BallStart {
    /// Bound that lies `cells` grid spacings outside the ball.
    SilhouetteBound bound(float cells) const {
        SilhouetteBound bound;
        for (const float distance : start.values) {
            bound.distance.push_back(distance - cells * spacing);
            bound.inside.push_back(bound.distance.back() < spacing / 2 ? 1 : 0);
        }
        return bound;
    }

    Mesh ball = outwardBall(0.25);
    DepthOptions options;
    DepthRun run{options, *simd::runnableSweepKernels().front(), 2};
    VoxelGrid grid = VoxelGrid::around(ball, 24, kStartFarCells);
    float spacing = static_cast<float>(grid.spacing);
    GridField start = distanceTo(ball, grid, kStartFarCells* grid.spacing, run);
};

TEST(FusedField, equalsTheStartNearItsSurface_whenNoDepthsAreSure) {
    BallStart ball;
    const GridField field = fusedField(FieldViews(nullptr, 1).matched(), fineRound(), ball.bound(1),
                                       ball.start, ball.run);
    std::size_t compared = 0;
    for (std::size_t i = 0; i < field.values.size(); ++i) {
        if (std::abs(ball.start.values[i]) > ball.spacing) continue;
        ++compared;
        ASSERT_NEAR(field.values[i], ball.start.values[i], 1e-6);
    }
    EXPECT_GT(compared, 1000U);
    ASSERT_EQ(ball.run.timer.times().size(), 2U);
    EXPECT_EQ(ball.run.timer.times()[0].step, "fusion");
    EXPECT_EQ(ball.run.timer.times()[1].step, "total variation");
}

TEST(FusedField, staysWithinTheSilhouettes_whenTheStartLiesOutside) {
    BallStart ball;
    const SilhouetteBound bound = ball.bound(-2);
    const GridField field =
        fusedField(FieldViews(nullptr, 1).matched(), coarseRound(), bound, ball.start, ball.run);
    for (std::size_t i = 0; i < field.values.size(); ++i)
        ASSERT_GE(field.values[i], bound.distance[i]);
    EXPECT_LT(field.at(glm::dvec3(0), 1), 0);
}

TEST(FusedField, followsSureDepthsIntoTheStart) {
    BallStart ball;
    const Mesh smaller = outwardBall(0.22);
    const GridField field = fusedField(FieldViews(&smaller, 16).matched(), fineRound(),
                                       ball.bound(0), ball.start, ball.run);
    const glm::dvec3 direction = test::camerasAround(16).front().centre / 0.85;
    EXPECT_LT(field.at(0.20 * direction, 1), 0);
    EXPECT_GT(field.at(0.24 * direction, -1), 0);
}

/// A block as start mesh, and the same block with a pit as start mesh with hollows.
struct PitStart {
    Mesh block = test::pit(0.001F);
    Mesh withPit = test::pit(0.07F);
    DepthOptions options = [this] {
        DepthOptions made;
        made.startMeshWithHollows = &withPit;
        return made;
    }();
    DepthRun run{options, *simd::runnableSweepKernels().front(), 2};
    VoxelGrid grid = VoxelGrid::around(block, 40, kStartFarCells);
    GridField plain = distanceTo(block, grid, kStartFarCells* grid.spacing, run);
    GridField hollow = distanceTo(withPit, grid, kStartFarCells* grid.spacing, run);
};

TEST(ChooseStart, takesThePlainStart_whenThereIsNoOther) {
    PitStart pit;
    pit.options.startMeshWithHollows = nullptr;
    const ChosenStart chosen = chooseStart(pit.plain, FieldViews(nullptr, 2).matched(), pit.run);
    EXPECT_EQ(chosen.distance.values, pit.plain.values);
    EXPECT_TRUE(chosen.weightWithoutHollows.empty());
}

TEST(ChooseStart, keepsHollows_whenNoPhotographContradictsThem) {
    const PitStart pit;
    const ChosenStart chosen = chooseStart(pit.plain, FieldViews(nullptr, 2).matched(), pit.run);
    EXPECT_EQ(chosen.distance.values, pit.hollow.values);
}

TEST(ChooseStart, fillsHollows_whenPhotographsShowASurfaceAcrossThem) {
    const PitStart pit;
    const ChosenStart chosen =
        chooseStart(pit.plain, FieldViews(&pit.block, 16).matched(), pit.run);
    double inPit = 0;
    double filled = 0;
    for (std::size_t i = 0; i < chosen.distance.values.size(); ++i) {
        if (!(pit.plain.values[i] < 0 && pit.hollow.values[i] > 0)) continue;
        ++inPit;
        filled += chosen.distance.values[i] < 0 ? 1 : 0;
    }
    EXPECT_GT(filled, 0.7 * inPit);
}

TEST(ChosenOnFinerGrid, blendsBothStarts_byTheCoarserGridsWeights) {
    const PitStart pit;
    const VoxelGrid fine = VoxelGrid::around(pit.block, 60, kStartFarCells);
    const double maxDistance = 2 * pit.grid.spacing;
    const auto chosen = [&](float weightWithoutHollows) {
        const ChosenStart start{pit.plain,
                                std::vector<float>(pit.grid.count(), weightWithoutHollows)};
        return chosenOnFinerGrid(fine, pit.block, start, maxDistance, pit.run)
            .at(glm::dvec3(0, 0.08, 0), 1);
    };
    const auto distanceOf = [&](const Mesh& mesh) {
        return distanceTo(mesh, fine, maxDistance, pit.run).at(glm::dvec3(0, 0.08, 0), 1);
    };
    EXPECT_NEAR(chosen(0), distanceOf(pit.withPit), 1e-6);
    EXPECT_NEAR(chosen(1), distanceOf(pit.block), 1e-6);
    EXPECT_LT(chosen(1), chosen(0));
}

}  // namespace
}  // namespace threefold::stereo
