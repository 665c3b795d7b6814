#include "engine/network/pooling.h"
#include "engine/network/reconstruction.h"
#include "tests/support/stage_meshes.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace threefold {
namespace {

// A view from the origin along −z: its camera space is the space of the points.
FeatureProjection straight() {
    return {glm::dmat3(1.0), glm::dvec3(0.0)};
}

// A point that projects to the given pixel, at depth −1.
glm::vec3 pointAt(double row, double column) {
    return {(column - kPrincipalPoint) / kFocalLength, -(row - kPrincipalPoint) / kFocalLength,
            -1.0};
}

// Channel c of pixel (y, x) is 1000 c + 10 y + x.
std::vector<float> ramp(std::size_t side, std::size_t channels) {
    std::vector<float> values;
    for (std::size_t y = 0; y < side; ++y) {
        for (std::size_t x = 0; x < side; ++x) {
            for (std::size_t c = 0; c < channels; ++c) {
                values.push_back(static_cast<float>(1000 * c + 10 * y + x));
            }
        }
    }
    return values;
}

class Pooling : public testing::Test {
  protected:
    std::vector<float> at(double row, double column, SamplerKind sampler) {
        const FeaturePooling pooling({straight(), straight()}, {{values_.data(), 14, 16}}, sampler,
                                     *simd::runnableNetworkKernels().front());
        std::vector<float> out(pooling.width());
        pooling.pool(pointAt(row, column), out.data());
        return out;
    }

    // Maps of two equal views.
    std::vector<float> values_ = [] {
        std::vector<float> one = ramp(14, 16);
        const std::vector<float> copy = one;
        one.insert(one.end(), copy.begin(), copy.end());
        return one;
    }();
};

TEST_F(Pooling, startsEachRowWithThePosition) {
    const std::vector<float> out = at(100.3, 50.7, SamplerKind::bilinearPerView);
    const glm::vec3 point = pointAt(100.3, 50.7);
    EXPECT_EQ(out[0], point.x);
    EXPECT_EQ(out[1], point.y);
    EXPECT_EQ(out[2], point.z);
    EXPECT_EQ(out.size(), 3U + 3U * 16U);
}

TEST_F(Pooling, interpolates_whenBetweenPixels) {
    const double row = 100.3 / 16;
    const double column = 50.7 / 16;
    const std::vector<float> out = at(100.3, 50.7, SamplerKind::bilinearPerView);
    for (std::size_t c = 0; c < 16; ++c) {
        const double expected = 1000.0 * static_cast<double>(c) + 10 * row + column;
        EXPECT_NEAR(out[3 + c], expected, 2e-3);
        EXPECT_NEAR(out[3 + 16 + c], expected, 2e-3);
        // The variance is 0, so the standard deviation is the square root of the added 1e-6.
        EXPECT_NEAR(out[3 + 32 + c], 1e-3, 1e-3);
    }
}

TEST_F(Pooling, givesZero_whenTheCoordinateIsAnInteger) {
    // METHOD.md §5: for integer coordinates floor and ceiling are equal, so both weights are 0. The
    // coordinate is 112 / 16 = 7.
    EXPECT_EQ(at(112, 50.7, SamplerKind::bilinearPerView)[3 + 5], 0.0F);
}

TEST_F(Pooling, givesZero_whenThePointIsOutsideThePicture) {
    // Coordinates are clamped to 0 or the last pixel, which are integers.
    EXPECT_EQ(at(-50, 100.3, SamplerKind::bilinearPerView)[3 + 5], 0.0F);
    EXPECT_EQ(at(1000, 100.3, SamplerKind::bilinearPerView)[3 + 5], 0.0F);
}

TEST_F(Pooling, truncatesAndReadsTheFirstView_whenSamplerIsNearestFirst) {
    for (float& value : std::span(values_).subspan(values_.size() / 2)) value = -1.0F;
    const std::vector<float> out = at(111.9, 50.7, SamplerKind::nearestInFirstView);
    EXPECT_EQ(out[3 + 2], 2000.0F + 10 * 6 + 3);
    EXPECT_EQ(out[3 + 16 + 2], 2000.0F + 10 * 6 + 3) << "the second view's own map was read";
}

TEST_F(Pooling, staysFinite_whenThePointIsAtTheCamera) {
    const FeaturePooling pooling({straight(), straight()}, {{values_.data(), 14, 16}},
                                 SamplerKind::bilinearPerView,
                                 *simd::runnableNetworkKernels().front());
    std::vector<float> out(pooling.width());
    for (const glm::vec3 point : {glm::vec3(0.0F), glm::vec3(1.0F, 1.0F, 0.0F)}) {
        pooling.pool(point, out.data());
        for (const float value : out) EXPECT_TRUE(std::isfinite(value));
    }
}

TEST(Projections, keepTheFirstViewsSpace_whenThereIsOneCamera) {
    const std::vector<Camera> cameras = {Camera::fromRow({40, 27, 0, 0.8, 25})};
    const auto [row, column] = projectionsFrom(cameras)[0].project(pointAt(60.25, 200.5));
    EXPECT_NEAR(row, 60.25, 1e-5);
    EXPECT_NEAR(column, 200.5, 1e-5);
}

TEST(Projections, shiftDepthsToATrainedDistance_whenTheCamerasAreFarAway) {
    const std::vector<Camera> cameras = {Camera::fromRow({40, 27, 0, 3, 25}),
                                         Camera::fromRow({130, 10, 0, 2.5, 25})};
    const double depthOffset = depthOffsetFor(cameras.front());
    EXPECT_NEAR(depthOffset, 3 - kDefaultDistance, 1e-12);
    const std::vector<FeatureProjection> projections = projectionsFrom(cameras, depthOffset);
    const glm::dvec3 world(0.1, 0.05, -0.2);
    const glm::dvec3 shifted = cameras[0].toCamera(world) + glm::dvec3(0, 0, depthOffset);
    EXPECT_LT(std::abs(shifted.z), 1.3);
    for (std::size_t view = 0; view < cameras.size(); ++view) {
        const Camera& camera = cameras[view];
        const glm::dvec2 pixel = projectToPixel(camera.zoomedRotation() * (world - camera.centre));
        const auto [row, column] = projections[view].project(shifted);
        EXPECT_NEAR(row, pixel.y, 1e-9);
        EXPECT_NEAR(column, pixel.x, 1e-9);
    }
    Reconstruction result;
    result.stages = test::publishedMeshes({glm::vec3(shifted)}, {});
    subtractDepthOffset(result, depthOffset);
    EXPECT_NEAR(result.vertices("coarse")[0].z, cameras[0].toCamera(world).z, 1e-6);
}

}  // namespace
}  // namespace threefold
