#include "engine/stereo/plane_sweep.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "engine/raster/camera_depths.h"
#include "engine/stereo/source_views.h"
#include "engine/views/foreground.h"
#include "tests/engine/hull/shapes.h"
#include "tests/engine/stereo/photographs.h"

namespace threefold::stereo {
namespace {

constexpr int kSide = 96;

TEST(StereoProjection, agreesWithTheCamera) {
    const Camera camera = test::camerasAround(7)[3];
    const StereoProjection projection(camera, 2 * kInputSide);
    const glm::dvec3 point(0.1, -0.07, 0.12);
    const glm::dvec3 view = camera.toCamera(point);
    const glm::dvec2 pixel = camera.project(view) * 2.0 - 0.5;
    const glm::dvec3 found = projection.project(point);
    EXPECT_NEAR(found.x, pixel.x, 1e-9);
    EXPECT_NEAR(found.y, pixel.y, 1e-9);
    EXPECT_NEAR(found.z, -view.z, 1e-12);
    const glm::dvec3 back = projection.pointAt(found.x, found.y, found.z);
    EXPECT_NEAR(back.x, point.x, 1e-12);
    EXPECT_NEAR(back.y, point.y, 1e-12);
    EXPECT_NEAR(back.z, point.z, 1e-12);
}

struct Scene {
    Scene() : mesh(test::sphere(0.2)) {
        for (const Camera& camera : test::camerasAround(24)) {
            const Image photograph = test::texturedPhotograph(mesh, camera, 2 * kSide, 40);
            views.push_back(
                stereoView(camera, photograph, foregroundOf(photograph).value(), kSide));
        }
    }
    Mesh mesh;
    std::vector<StereoView> views;
};

/// Fraction of the volume's pixels whose cheapest label is within one label of `at`.
double fractionNear(const CostVolume& volume, int at) {
    double right = 0;
    double all = 0;
    for (std::size_t pixel = 0; pixel < volume.cost.size() / volume.stride; ++pixel) {
        const std::int16_t* cost = &volume.cost[pixel * volume.stride];
        const auto cheapest = std::min_element(cost, cost + volume.labelCount) - cost;
        right += std::abs(cheapest - at) <= 1 ? 1 : 0;
        ++all;
    }
    return right / all;
}

class SweepLabel : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(All, SweepLabel, testing::Values(3, 8));

TEST_P(SweepLabel, isThatOfTheSurface) {
    const Scene scene;
    const std::size_t reference = 5;
    std::vector<float> searchDepths =
        cameraDepths(scene.mesh, scene.views[reference].camera, kSide);
    const std::vector<SourceView> sources = selectSourceViews(scene.views, reference, {0, 0, 0}, 5);
    ASSERT_GE(sources.size(), 2U);
    SweepOptions options{.labelCount = 12,
                         .firstLabel = 0,
                         .labelParallaxPixels = 1,
                         .orientationCount = 3,
                         .windowRadius = 2};
    const double labelSpacing = labelSpacingFor(scene.views[reference], searchDepths, sources, 1);
    for (float& depth : searchDepths)
        if (depth > 0) depth -= static_cast<float>(GetParam() * labelSpacing);
    const auto packed = packedPictures(scene.views);
    std::vector<CostVolume> volumes;
    for (const simd::SweepKernels* kernels : simd::runnableSweepKernels())
        volumes.push_back(sweep({.views = scene.views,
                                 .packed = packed,
                                 .reference = reference,
                                 .searchDepths = searchDepths,
                                 .sources = sources,
                                 .labelSpacing = labelSpacing},
                                options, *kernels, {}));
    EXPECT_GT(fractionNear(volumes.front(), GetParam()), 0.7);
    for (const CostVolume& volume : volumes) EXPECT_EQ(volume.cost, volumes.front().cost);
}

TEST(Sources, areTheNearestBetweenSixAndSixtyFiveDegrees) {
    const Scene scene;
    const std::vector<SourceView> sources = selectSourceViews(scene.views, 0, {0, 0, 0}, 4);
    ASSERT_FALSE(sources.empty());
    ASSERT_LE(sources.size(), 4U);
    for (std::size_t i = 0; i < sources.size(); ++i) {
        EXPECT_NE(sources[i].view, 0U);
        EXPECT_GE(sources[i].angleDegrees, 6);
        EXPECT_LE(sources[i].angleDegrees, 65);
        EXPECT_GE(sources[i].angleDegrees, sources[i > 0 ? i - 1 : 0].angleDegrees);
    }
}

}  // namespace
}  // namespace threefold::stereo
