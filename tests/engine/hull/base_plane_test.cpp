#include "engine/hull/base_plane.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/hull/visual_hull.h"
#include "engine/raster/render_mask.h"
#include "tests/engine/hull/shapes.h"

namespace threefold {
namespace {

/// Sixteen cameras that look at the origin, alternately at two elevations.
std::vector<Camera> rings(double lower, double upper) {
    std::vector<Camera> cameras;
    for (int i = 0; i < 16; ++i) {
        CameraRow row;
        row.azimuth = 22.5 * i;
        row.elevation = i % 2 == 0 ? lower : upper;
        row.distance = 0.85;
        cameras.push_back(Camera::fromRow(row));
    }
    return cameras;
}

HullResult hullOf(const Mesh& shape, const std::vector<Camera>& cameras, int side = 448) {
    std::vector<MaskedView> views;
    for (const Camera& camera : cameras)
        views.push_back({static_cast<int>(views.size()), camera,
                         renderMask(shape.vertices, shape.faces, Pose{}, camera, side, side)});
    HullOptions options;
    options.threads = 2;
    return visualHull(views, options);
}

float lowestOf(const Mesh& mesh) {
    return std::ranges::min(mesh.vertices, {}, &glm::vec3::y).y;
}

TEST(BasePlane, isTheFloor_ofABlockSeenFromAbove) {
    const Mesh block = test::pit(0.05F);
    const HullResult hull = hullOf(block, rings(20, 45));
    ASSERT_TRUE(hull.baseHeight.has_value());
    EXPECT_NEAR(*hull.baseHeight, lowestOf(block), 0.003);
    // Without the base plane, cones below the block would reach 0.2 · tan 20° = 0.07 lower.
    EXPECT_NEAR(lowestOf(hull.mesh), lowestOf(block), 0.004);
}

TEST(BasePlane, isAtTheFeet_ofATable) {
    const Mesh table = test::table(0.04F);
    const HullResult hull = hullOf(table, rings(20, 45), 640);
    ASSERT_TRUE(hull.baseHeight.has_value());
    EXPECT_NEAR(*hull.baseHeight, lowestOf(table), 0.004);
}

/// Closed surface of revolution around the y axis, from pairs of radius and height, top first.
Mesh revolved(std::span<const glm::vec2> profile) {
    constexpr std::uint32_t kAround = 96;
    Mesh mesh;
    for (const glm::vec2& point : profile)
        for (std::uint32_t i = 0; i < kAround; ++i) {
            const double angle = 2 * std::numbers::pi * i / kAround;
            mesh.vertices.emplace_back(point.x * std::cos(angle), point.y,
                                       point.x * std::sin(angle));
        }
    for (std::uint32_t ring = 0; ring + 1 < profile.size(); ++ring)
        for (std::uint32_t i = 0; i < kAround; ++i) {
            const std::uint32_t a = ring * kAround + i;
            const std::uint32_t b = ring * kAround + (i + 1) % kAround;
            mesh.faces.emplace_back(a, b, b + kAround);
            mesh.faces.emplace_back(a, b + kAround, a + kAround);
        }
    return mesh;
}

TEST(BasePlane, isTheFloor_ofACylinderWhoseHullIsBlunt) {
    // The profile resembles the hull of a cylinder whose masks and cameras are a pixel off: the
    // lower edge is cut, and a cone hangs below the cylinder.
    constexpr std::array<glm::vec2, 5> kProfile{glm::vec2{0.0001F, 0.3F},
                                                {0.2F, 0.3F},
                                                {0.2F, -0.288F},
                                                {0.1916F, -0.3F},
                                                {0.0001F, -0.36F}};
    const std::vector<Camera> cameras = rings(20, 45);
    const std::optional<double> height = hull::baseHeight(revolved(kProfile), cameras, 2, {});
    ASSERT_TRUE(height.has_value());
    EXPECT_NEAR(*height, -0.3, 0.006);
}

TEST(BasePlane, isBelowTheVisiblePart_ofABall) {
    const Mesh ball = test::sphere(0.25);
    const HullResult hull = hullOf(ball, rings(20, 45));
    ASSERT_TRUE(hull.baseHeight.has_value());
    // The lowest visible point is at −0.25 · cos 20° = −0.235, the tip of the hull's cone at
    // −0.266.
    EXPECT_NEAR(*hull.baseHeight, -0.25, 0.004);
}

TEST(BasePlane, cutsNothingOff_whenCamerasLookFromBelowToo) {
    const Mesh block = test::pit(0.05F);
    const std::vector<Camera> cameras = test::camerasAround(24);
    const HullResult hull = hullOf(block, cameras);
    ASSERT_TRUE(hull.baseHeight.has_value());
    EXPECT_LT(*hull.baseHeight, lowestOf(block) + 0.002);
}

TEST(BasePlane, isTheSame_withAnyNumberOfThreads) {
    const Mesh block = test::pit(0.05F);
    const std::vector<Camera> cameras = rings(20, 45);
    EXPECT_EQ(hull::baseHeight(block, cameras, 1, {}), hull::baseHeight(block, cameras, 3, {}));
}

TEST(BasePlane, isMissing_withoutACameraThatSeesTheMesh) {
    Camera away = rings(20, 45).front();
    away.rotation = glm::dmat3{-1, 0, 0, 0, 1, 0, 0, 0, -1} * away.rotation;
    EXPECT_EQ(hull::baseHeight(test::sphere(0.25), {}, 1, {}), std::nullopt);
    EXPECT_EQ(hull::baseHeight(test::sphere(0.25), {&away, 1}, 1, {}), std::nullopt);
}

}  // namespace
}  // namespace threefold
