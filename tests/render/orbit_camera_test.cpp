#include "render/orbit_camera.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <glm/vec4.hpp>

#include "tests/render/shapes.h"

namespace threefold::render {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;
constexpr glm::vec2 kPane{640.0F, 480.0F};

// Position of a point in a pane, in pixels from the pane's top left corner.
glm::vec2 pixelOf(const OrbitCamera& camera, glm::vec3 point, glm::vec2 pane = kPane) {
    const glm::vec4 clip =
        camera.projectionMatrix(pane.x / pane.y) * camera.viewMatrix() * glm::vec4(point, 1.0F);
    return {(clip.x / clip.w * 0.5F + 0.5F) * pane.x, (clip.y / clip.w * 0.5F + 0.5F) * pane.y};
}

OrbitCamera turned() {
    OrbitCamera camera;
    camera.target = {0.1F, -0.2F, -0.7F};
    camera.yaw = 0.7F;
    camera.pitch = 0.4F;
    camera.distance = 1.3F;
    return camera;
}

void expectNear(glm::vec3 found, glm::vec3 expected, float within) {
    EXPECT_NEAR(found.x, expected.x, within);
    EXPECT_NEAR(found.y, expected.y, within);
    EXPECT_NEAR(found.z, expected.z, within);
}

// Converts a point of a world with y up to the same world with z up.
glm::vec3 withZUp(glm::vec3 point) {
    return {point.x, -point.z, point.y};
}

TEST(OrbitCamera, seesAWorldWithZUp_asTheSameWorldWithYUp) {
    const OrbitCamera yUp = turned();
    OrbitCamera zUp = yUp;
    zUp.upAxis = UpAxis::z;
    zUp.target = withZUp(yUp.target);
    for (const glm::vec3 point : {glm::vec3(0.3F, 0.1F, -0.5F), glm::vec3(-0.2F, 0.4F, -0.9F)}) {
        const glm::vec2 expected = pixelOf(yUp, point);
        const glm::vec2 found = pixelOf(zUp, withZUp(point));
        EXPECT_NEAR(found.x, expected.x, 1e-3F);
        EXPECT_NEAR(found.y, expected.y, 1e-3F);
    }
}

TEST(OrbitCamera, hasTheAnglesOfItsDirection_withEitherAxisUp) {
    for (const UpAxis up : {UpAxis::y, UpAxis::z}) {
        OrbitCamera camera = turned();
        camera.upAxis = up;
        const ViewAngles angles = anglesOf(camera.centre() - camera.target, up);
        EXPECT_NEAR(angles.yaw, camera.yaw, 1e-6F);
        EXPECT_NEAR(angles.pitch, camera.pitch, 1e-6F);
    }
}

TEST(OrbitCamera, looksAlongMinusZ_byDefault) {
    const OrbitCamera camera{.target = {0.0F, 0.0F, -0.8F}, .distance = 0.8F};
    expectNear(camera.centre(), {0.0F, 0.0F, 0.0F}, 1e-6F);
    const glm::vec4 inView = camera.viewMatrix() * glm::vec4(0.1F, 0.2F, -0.8F, 1.0F);
    expectNear({inView.x, inView.y, inView.z}, {0.1F, 0.2F, -0.8F}, 1e-6F);
}

TEST(OrbitCamera, mapsXToTheRightAndYUp) {
    const OrbitCamera camera;
    EXPECT_GT(pixelOf(camera, {0.1F, 0.0F, -0.8F}).x, kPane.x / 2);
    EXPECT_LT(pixelOf(camera, {0.0F, 0.1F, -0.8F}).y, kPane.y / 2);
}

TEST(ViewAngles, areTheAnglesOfACamera_inTheGivenDirection) {
    const OrbitCamera camera = turned();
    const auto [yaw, pitch] = anglesOf(2.0F * (camera.centre() - camera.target));
    EXPECT_NEAR(yaw, camera.yaw, 1e-5F);
    EXPECT_NEAR(pitch, camera.pitch, 1e-5F);
}

TEST(ViewAngles, areZero_whenThereIsNoDirection) {
    const auto [yaw, pitch] = anglesOf(glm::vec3(0.0F));
    EXPECT_EQ(yaw, 0.0F);
    EXPECT_EQ(pitch, 0.0F);
}

TEST(OrbitCamera, standsAbove_whenPitchIsPositive) {
    const OrbitCamera camera{.pitch = 0.5F};
    EXPECT_GT(camera.centre().y, camera.target.y);
}

TEST(OrbitCamera, fieldOfViewSpansThePane) {
    const OrbitCamera camera;
    const float top = camera.distance * std::tan(camera.fieldOfView / 2);
    EXPECT_NEAR(pixelOf(camera, camera.target + glm::vec3(0.0F, top, 0.0F)).y, 0.0F, 1e-3F);
}

TEST(OrbitCamera, depthRunsFromZeroAtTheNearPlaneTowardsOne) {
    const OrbitCamera camera{.target = {0.0F, 0.0F, 0.0F}, .distance = 2.0F};
    const glm::mat4 projection = camera.projectionMatrix(1.0F);
    const auto depth = [&](float distance) {
        const glm::vec4 clip = projection * glm::vec4(0.0F, 0.0F, -distance, 1.0F);
        return clip.z / clip.w;
    };
    EXPECT_NEAR(depth(kMinNearFraction * 2.0F), 0.0F, 1e-6F);
    EXPECT_LT(depth(1.0F), depth(2.0F));
    EXPECT_LE(depth(1e8F), 1.0F);
}

TEST(OrbitCamera, orbitTurnsHalfATurnAcrossTheHeight) {
    OrbitCamera camera;
    camera.orbit({kPane.y / 2, 0.0F}, kPane.y);
    EXPECT_NEAR(camera.yaw, -kPi / 2, 1e-5F);
}

TEST(OrbitCamera, orbitMovesTheNearSideWithTheCursor) {
    OrbitCamera camera;
    const glm::vec3 nearSide = camera.target + glm::vec3(0.0F, 0.0F, 0.2F);
    const glm::vec2 before = pixelOf(camera, nearSide);
    camera.orbit({10.0F, 10.0F}, kPane.y);
    EXPECT_GT(pixelOf(camera, nearSide).x, before.x);
    EXPECT_GT(pixelOf(camera, nearSide).y, before.y);
}

TEST(OrbitCamera, pitchStopsAtThePoles) {
    OrbitCamera camera;
    camera.orbit({0.0F, 1e6F}, kPane.y);
    EXPECT_FLOAT_EQ(camera.pitch, kPi / 2);
    camera.orbit({0.0F, -1e6F}, kPane.y);
    EXPECT_FLOAT_EQ(camera.pitch, -kPi / 2);
}

TEST(OrbitCamera, viewStaysARotation_atThePoles) {
    const OrbitCamera camera{.yaw = 1.0F, .pitch = kPi / 2};
    const glm::mat4 view = camera.viewMatrix();
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(glm::length(view[i]), 1.0F, 1e-6F);
    EXPECT_NEAR(glm::dot(view[0], view[1]), 0.0F, 1e-6F);
}

TEST(OrbitCamera, yawStaysWithinATurn) {
    OrbitCamera camera;
    for (int i = 0; i < 1000; ++i) camera.orbit({100.0F, 0.0F}, kPane.y);
    EXPECT_LE(std::abs(camera.yaw), kPi + 1e-5F);
}

TEST(OrbitCamera, panCarriesThePointUnderTheCursor) {
    OrbitCamera camera = turned();
    const glm::vec3 point = camera.target;
    camera.pan({37.0F, -21.0F}, kPane.y);
    const glm::vec2 moved = pixelOf(camera, point);
    EXPECT_NEAR(moved.x, kPane.x / 2 + 37.0F, 1e-2F);
    EXPECT_NEAR(moved.y, kPane.y / 2 - 21.0F, 1e-2F);
}

// The point under the pointer, at the target's depth.
glm::vec3 underCursor(const OrbitCamera& camera, glm::vec2 pointer) {
    OrbitCamera shifted = camera;
    shifted.pan(kPane / 2.0F - pointer, kPane.y);
    return shifted.target;
}

class Zoom : public testing::TestWithParam<float> {};

TEST_P(Zoom, keepsThePointUnderTheCursor) {
    OrbitCamera camera = turned();
    const glm::vec2 pointer{500.0F, 77.0F};
    const glm::vec3 point = underCursor(camera, pointer);
    camera.zoom(GetParam(), pointer, kPane);
    EXPECT_NEAR(pixelOf(camera, point).x, pointer.x, 2e-2F);
    EXPECT_NEAR(pixelOf(camera, point).y, pointer.y, 2e-2F);
}
INSTANTIATE_TEST_SUITE_P(Steps, Zoom, testing::Values(-5.0F, -1.0F, 0.5F, 1.0F, 12.0F));

TEST(OrbitCamera, zoomComesCloser_whenStepsArePositive) {
    OrbitCamera camera;
    camera.zoom(1.0F, kPane / 2.0F, kPane);
    EXPECT_LT(camera.distance, 1.0F);
    EXPECT_GT(camera.distance, 0.5F);
}

TEST(OrbitCamera, zoomInAndOutReturnsToTheStart) {
    OrbitCamera camera = turned();
    camera.zoom(3.0F, {10.0F, 20.0F}, kPane);
    camera.zoom(-3.0F, {10.0F, 20.0F}, kPane);
    EXPECT_NEAR(camera.distance, turned().distance, 1e-5F);
    expectNear(camera.target, turned().target, 1e-5F);
}

TEST(OrbitCamera, zoomNeverReachesTheTarget) {
    OrbitCamera camera;
    camera.zoom(1e6F, kPane / 2.0F, kPane);
    EXPECT_GT(camera.distance, 0.0F);
    camera.zoom(-1e9F, kPane / 2.0F, kPane);
    EXPECT_TRUE(std::isfinite(camera.distance));
}

struct FramedBox {
    std::string name;
    glm::vec3 lowest, highest;
    float aspect, yaw, pitch;
};

void PrintTo(const FramedBox& box, std::ostream* out) {
    *out << box.name;
}

class FrameBoxes : public testing::TestWithParam<FramedBox> {};

TEST_P(FrameBoxes, containTheBox_andNearlyFillThePane) {
    const auto& [name, lowest, highest, aspect, yaw, pitch] = GetParam();
    OrbitCamera camera{.yaw = yaw, .pitch = pitch};
    frameBox(camera, lowest, highest, aspect);
    const glm::vec2 pane{aspect * 100.0F, 100.0F};
    float largest = 0.0F;  // largest distance from the pane's middle; 1: at its edge
    for (int corner = 0; corner < 8; ++corner) {
        const glm::vec3 point{(corner & 1) != 0 ? highest.x : lowest.x,
                              (corner & 2) != 0 ? highest.y : lowest.y,
                              (corner & 4) != 0 ? highest.z : lowest.z};
        const glm::vec2 fraction = glm::abs(pixelOf(camera, point, pane) / pane * 2.0F - 1.0F);
        largest = std::max(largest, std::max(fraction.x, fraction.y));
        EXPECT_GT(glm::distance(camera.centre(), point), kMinNearFraction * camera.distance);
    }
    EXPECT_LT(largest, 1.0F);
    EXPECT_GT(largest, 0.85F);
    EXPECT_EQ(camera.yaw, yaw);
    EXPECT_EQ(camera.pitch, pitch);
}
INSTANTIATE_TEST_SUITE_P(
    Boxes, FrameBoxes,
    testing::Values(FramedBox{"cube", {-1, -1, -1}, {1, 1, 1}, 1.0F, 0.0F, 0.0F},
                    FramedBox{"narrowPane", {-1, -1, -1}, {1, 1, 1}, 0.2F, 0.6F, 0.3F},
                    FramedBox{"widePane", {-1, -1, -1}, {1, 1, 1}, 7.0F, 0.6F, 0.3F},
                    FramedBox{"stick", {-3, 0, 5}, {-2.9F, 0.01F, 9}, 1.5F, 2.0F, -1.2F},
                    FramedBox{
                        "farAwayFromAbove", {100, 200, 300}, {400, 230, 301}, 1.3F, -3.0F, 1.5707F},
                    FramedBox{"tinyLine", {0, 0, 0}, {0, 0.001F, 0}, 1.0F, 0.3F, 0.1F}),
    [](const auto& test) { return test.param.name; });

TEST(FrameBox, keepsTheDistance_whenTheBoxIsAPoint) {
    OrbitCamera camera;
    frameBox(camera, {1.0F, 2.0F, 3.0F}, {1.0F, 2.0F, 3.0F}, 1.0F);
    EXPECT_FLOAT_EQ(camera.distance, 1.0F);
    expectNear(camera.target, {1.0F, 2.0F, 3.0F}, 1e-6F);
}

TEST(OrbitCamera, staysUnchanged_whenThePaneIsEmptyOrNumbersAreNotFinite) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    OrbitCamera camera = turned();
    camera.orbit({5.0F, 5.0F}, 0.0F);
    camera.orbit({nan, 5.0F}, 100.0F);
    camera.pan({5.0F, 5.0F}, -1.0F);
    camera.pan({5.0F, nan}, 100.0F);
    camera.zoom(1.0F, {5.0F, 5.0F}, {0.0F, 100.0F});
    camera.zoom(nan, {5.0F, 5.0F}, kPane);
    frameBox(camera, {nan, 0.0F, 0.0F}, {1.0F, 1.0F, 1.0F}, 1.0F);
    frameBox(camera, {0.0F, 0.0F, 0.0F}, {1.0F, 1.0F, 1.0F}, 0.0F);
    EXPECT_EQ(camera, turned());
}

TEST(OrbitCamera, seesTheTargetEquallyLarge_fromAnotherCentre) {
    const OrbitCamera camera = turned();
    const glm::vec3 centre = camera.target + glm::vec3(0.5F, 1.5F, -2.0F);
    const OrbitCamera moved = withCentre(camera, centre);
    expectNear(moved.centre(), centre, 1e-5F);
    EXPECT_EQ(moved.target, camera.target);
    const auto size = [](const OrbitCamera& from) {
        return from.distance * std::tan(from.fieldOfView / 2);
    };
    EXPECT_NEAR(size(moved), size(camera), 1e-5F);
    EXPECT_EQ(withCentre(camera, camera.target), camera);
}

TEST(OrbitCamera, findsTheCentreNearestInDirection_atAnyDistance) {
    OrbitCamera camera = turned();
    const glm::vec3 back = camera.centre() - camera.target;
    const std::vector<glm::vec3> centres{camera.target - back, camera.target + 9.0F * back,
                                         camera.target + glm::vec3(back.z, back.y, -back.x)};
    EXPECT_EQ(nearestCentre(camera, centres), centres[1]);
    camera.yaw += 3.14F;
    camera.pitch = -camera.pitch;
    EXPECT_EQ(nearestCentre(camera, centres), centres[0]);
}

}  // namespace
}  // namespace threefold::render
