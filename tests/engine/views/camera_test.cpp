#include "engine/views/camera.h"

#include <cmath>

#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

namespace threefold {
namespace {

constexpr double kTight = 1e-12;

void expectNear(glm::dvec3 actual, glm::dvec3 expected, double tolerance = kTight) {
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(actual[i], expected[i], tolerance) << "axis " << i;
}

TEST(Camera, looksAlongX_whenAzimuthAndElevationAreZero) {
    const Camera camera = Camera::fromRow({0, 0, 0, 2, 25});
    expectNear(camera.centre, {2, 0, 0});
    expectNear(camera.toCamera({0, 0, 0}), {0, 0, -2});
    expectNear(camera.toCamera({0, 1, 0}), {0, 1, -2});
    expectNear(camera.toCamera({0, 0, -1}), {1, 0, -2});
}

TEST(Camera, standsAboveTheObject_whenElevationIsPositive) {
    const Camera camera = Camera::fromRow({90, 30, 0, 1, 25});
    expectNear(camera.centre, {0, 0.5, std::sqrt(3.0) / 2});
    expectNear(camera.toCamera({0, 0, 0}), {0, 0, -1});
}

TEST(Camera, hasARotationWithoutMirroring_whenAnglesAreArbitrary) {
    const Camera camera = Camera::fromRow({237.5, -17.25, 0, 0.83, 25});
    EXPECT_NEAR(glm::determinant(camera.rotation), 1.0, kTight);
    const glm::dmat3 product = camera.rotation * glm::transpose(camera.rotation);
    for (int i = 0; i < 3; ++i) expectNear(product[i], glm::dmat3(1.0)[i]);
}

TEST(Camera, showsTheObjectInItsTrainedSize_whenItStandsFarOrNear) {
    const auto columnOf = [](double distance) {
        const Camera camera = Camera::fromRow({0, 0, 0, distance, 25});
        // A point at the object's distance, 0.2 to the right.
        return projectToPixel(camera.zoomedRotation() * (glm::dvec3(0, 0, -0.2) - camera.centre)).x;
    };
    for (const double beyond : {0.2, 0.59, 1.001, 1.6, 4.5, 900.0})
        EXPECT_NEAR(columnOf(beyond), columnOf(kDefaultDistance), 1e-9) << beyond;
    for (const double trained : {0.6, 0.8, 1.0})
        EXPECT_EQ(Camera::fromRow({0, 0, 0, trained, 25}).zoom, 1) << trained;
}

TEST(Camera, fillsTheClipSpaceWithItsPicture_whenItIsFarAway) {
    const Camera camera = Camera::fromRow({30, 20, 0, 3, 25});
    const glm::vec3 point(0.1F, -0.15F, 0.2F);
    const glm::vec4 corner = toClipSpace(std::vector{point}, Pose{}, camera).front();
    const glm::dvec2 pixel = camera.project(camera.toCamera(glm::dvec3(point)));
    EXPECT_NEAR(corner.x / corner.w, pixel.x / kPrincipalPoint - 1, 1e-6);
    EXPECT_NEAR(corner.y / corner.w, pixel.y / kPrincipalPoint - 1, 1e-6);
}

TEST(Camera, restoresAPoint_fromItsWorldPosition) {
    const Camera camera = Camera::fromRow({123, 28, 0, 0.79, 25});
    const glm::dvec3 point(0.1, -0.2, -0.75);
    expectNear(camera.toCamera(camera.toWorld(point)), point);
}

TEST(Camera, restoresAPoint_fromAnotherCamerasSpace) {
    const Camera from = Camera::fromRow({10, 25, 0, 0.8, 25});
    const Camera to = Camera::fromRow({200, 29, 0, 0.66, 25});
    const glm::dvec3 point(-0.15, 0.05, -0.9);
    const glm::dvec3 moved = transformBetweenCameras(from, to, point);
    EXPECT_GT(glm::length(moved - point), 0.1);
    expectNear(transformBetweenCameras(to, from, moved), point);
    expectNear(from.toWorld(point), to.toWorld(moved));
}

TEST(Projection, hitsTheCentre_whenThePointIsOnTheAxis) {
    EXPECT_EQ(projectToPixel({0, 0, -0.8}), glm::dvec2(112, 112));
}

TEST(Projection, goesRightAndUp_whenThePointIsRightAndUp) {
    const glm::dvec2 pixel = projectToPixel({0.1, 0.2, -1});
    EXPECT_NEAR(pixel.x, 136.8, kTight);
    EXPECT_NEAR(pixel.y, 62.4, kTight);
}

TEST(Projection, isNotClamped_whenThePointIsOutside) {
    EXPECT_LT(projectToPixel({-1, 1, -1}).x, 0);
    EXPECT_LT(projectToPixel({-1, 1, -1}).y, 0);
}

}  // namespace
}  // namespace threefold
