#include "ui/panes/pane_cameras.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <glm/vec4.hpp>

namespace threefold::ui {
namespace {

const glm::vec2 kSize(800, 400);

PaneCameras cameras() {
    PaneCameras panes;
    panes.setSize(kSize);
    panes.frame({});
    return panes;
}

TEST(PaneCameras, moveTogether_whenLinked) {
    PaneCameras panes = cameras();
    panes.orbit(1, {30, 10});
    EXPECT_EQ(panes.camera(0), panes.camera(1));
    EXPECT_FALSE(panes == cameras());
}

TEST(PaneCameras, moveAlone_whenNotLinked) {
    PaneCameras panes = cameras();
    panes.setLinked(false);
    panes.orbit(1, {30, 10});
    EXPECT_EQ(panes.camera(0), cameras().camera(0));
    EXPECT_FALSE(panes.camera(1) == panes.camera(0));
    panes.setLinked(true);
    EXPECT_EQ(panes.camera(1), panes.camera(0));
}

FramedPoints boxOf(float size, glm::vec3 centre) {
    return std::make_shared<const Points>(
        Points{centre - glm::vec3(size / 2), centre + glm::vec3(size / 2)});
}

TEST(PaneCameras, frameTheirOwnPoints_whenEachPaneHasSome) {
    PaneCameras panes;
    panes.setSize(kSize);
    panes.frame(PaneFramedPoints({boxOf(1, {0, 0, 0}), boxOf(100, {500, 0, 0})}));
    EXPECT_NEAR(panes.camera(1).distance / panes.camera(0).distance, 100, 0.01);
    EXPECT_LT(glm::distance(panes.camera(0).target, glm::vec3(0, 0, 0)), 0.01F);
    EXPECT_LT(glm::distance(panes.camera(1).target, glm::vec3(500, 0, 0)), 1.0F);
}

TEST(PaneCameras, moveInProportion_whenLinkedWithDifferentFrames) {
    PaneCameras panes;
    panes.setSize(kSize);
    panes.frame(PaneFramedPoints({boxOf(1, {0, 0, 0}), boxOf(100, {500, 0, 0})}));
    const PaneCameras before = panes;
    panes.orbit(0, {30, 10});
    panes.pan(0, {40, 0});
    panes.zoom({120, 90}, 2);
    EXPECT_EQ(panes.camera(1).yaw, panes.camera(0).yaw);
    EXPECT_EQ(panes.camera(1).pitch, panes.camera(0).pitch);
    EXPECT_NE(panes.camera(1).yaw, before.camera(1).yaw);
    EXPECT_LT(panes.camera(0).distance, before.camera(0).distance);
    EXPECT_NEAR(panes.camera(1).distance / panes.camera(0).distance, 100, 0.01);
    const glm::vec3 moved = panes.camera(0).target - before.camera(0).target;
    EXPECT_GT(glm::length(moved), 0.01F);
    EXPECT_LT(glm::distance(panes.camera(1).target - before.camera(1).target, 100.0F * moved),
              0.01F * glm::length(100.0F * moved));
    // Zooming in the second pane keeps the proportion, too.
    panes.zoom({520, 90}, -3);
    EXPECT_NEAR(panes.camera(1).distance / panes.camera(0).distance, 100, 0.01);
    // After both panes frame the same points, their cameras are equal again.
    panes.frame(boxOf(1, {0, 0, 0}));
    panes.orbit(1, {5, 5});
    EXPECT_EQ(panes.camera(0), panes.camera(1));
}

TEST(PaneCameras, splitTheWindowInHalves) {
    const PaneCameras panes = cameras();
    EXPECT_EQ(panes.paneAt({399, 0}), 0U);
    EXPECT_EQ(panes.paneAt({401, 0}), 1U);
}

TEST(PaneCameras, zoomAlike_atTheSamePositionOfEitherPane) {
    PaneCameras left = cameras();
    PaneCameras right = cameras();
    left.zoom({120, 90}, 2);
    right.zoom({520, 90}, 2);  // a pane has 399 columns, the line between the panes has 1
    EXPECT_EQ(left.camera(0), right.camera(0));
    EXPECT_LT(left.camera(0).distance, cameras().camera(0).distance);
}

TEST(PaneCameras, findTheSamePosition_inEachOfThreePanes) {
    PaneCameras panes;
    panes.setSize({1001, 300}, 2.0F);
    panes.setCount(3);
    ASSERT_EQ(panes.paneSize(), glm::vec2(332, 300));
    EXPECT_EQ(panes.paneAt({-5, 0}), 0U);
    EXPECT_EQ(panes.paneAt({334, 0}), 1U);
    EXPECT_EQ(panes.paneAt({668, 0}), 2U);
    EXPECT_EQ(panes.paneAt({5000, 0}), 2U);
    EXPECT_EQ(panes.inPane(0, {40, 20}), glm::vec2(40, 20));
    EXPECT_EQ(panes.inPane(1, {374, 20}), glm::vec2(40, 20));
    EXPECT_EQ(panes.inPane(2, {708, 20}), glm::vec2(40, 20));
}

TEST(PaneCameras, clampTheNumberOfPanes) {
    PaneCameras panes = cameras();
    panes.setCount(0);
    EXPECT_EQ(panes.count(), 1U);
    EXPECT_EQ(panes.paneSize(), kSize);
    panes.setCount(9);
    EXPECT_EQ(panes.count(), kMaxPanes);
}

PaneCameras camerasInTwoRows() {
    PaneCameras panes = cameras();
    panes.setCount(6);
    panes.frame({});
    return panes;
}

TEST(PaneCameras, moveTheTargetWithTheCursor_whenPanesStandInTwoRows) {
    PaneCameras panes = camerasInTwoRows();
    const glm::vec3 target = panes.camera(0).target;
    panes.pan(0, {10, 20});
    const glm::vec4 clip = panes.camera(0).toClipSpace(target, panes.paneSize());
    const glm::vec2 pixels = 0.5F * panes.paneSize() * glm::vec2(clip) / clip.w;
    EXPECT_NEAR(pixels.x, 10, 0.01);
    EXPECT_NEAR(pixels.y, 20, 0.01);
}

TEST(PaneCameras, turnByHalfATurnAcrossAPane_whenPanesStandInTwoRows) {
    PaneCameras panes = camerasInTwoRows();
    const float pitch = panes.camera(0).pitch;
    panes.orbit(0, {0, 0.25F * panes.paneSize().y});
    EXPECT_NEAR(panes.camera(0).pitch - pitch, 0.25 * std::numbers::pi, 1e-4);
}

TEST(PaneCameras, areExchanged_whenSwapped) {
    PaneCameras panes = cameras();
    panes.setLinked(false);
    panes.orbit(1, {30, 10});
    const render::OrbitCamera first = panes.camera(0);
    const render::OrbitCamera second = panes.camera(1);
    panes.swap();
    EXPECT_EQ(panes.camera(0), second);
    EXPECT_EQ(panes.camera(1), first);
}

TEST(PaneCameras, cutAtTheSamePlane_fromEveryDistance) {
    PaneCameras panes = cameras();
    panes.setClipping(true);
    EXPECT_TRUE(panes.isClipping());
    panes.moveClipPlane(1, 5);
    const float behind = panes.camera(0).clipDepth;
    EXPECT_NEAR(behind, -0.05F * panes.camera(0).distance, 1e-6F);
    panes.zoom(kSize / 2.0F, 3);
    EXPECT_EQ(panes.camera(0).clipDepth, behind);
    EXPECT_NEAR(panes.camera(1).nearDistance(), panes.camera(1).distance - behind, 1e-6F);
    panes.moveClipPlane(0, -1000);
    EXPECT_GT(panes.camera(0).nearDistance(), 0.0F);
    panes.setClipping(false);
    EXPECT_EQ(panes.camera(0).nearDistance(), render::kMinNearFraction * panes.camera(0).distance);
}

TEST(PaneCameras, takeThePoseOfAPhotograph_whenAsked) {
    for (const double azimuth : {0.0, 35.0, 200.0, 320.0}) {
        const Camera photo = Camera::fromRow({azimuth, 27.0, 0.0, 0.82, 25.0});
        PaneCameras panes = cameras();
        panes.lookThrough(photo);
        const glm::vec3 centre = panes.camera(0).centre();
        EXPECT_NEAR(glm::distance(glm::dvec3(centre), photo.centre), 0.0, 1e-5) << azimuth;
        // A point above the object's centre has the same coordinates in both cameras, so the
        // camera's up direction is the photograph's.
        const glm::vec4 up = panes.camera(0).viewMatrix() * glm::vec4(0, 0.1F, 0, 1);
        const glm::dvec3 expected = photo.toCamera({0, 0.1, 0});
        EXPECT_NEAR(up.x, expected.x, 1e-5);
        EXPECT_NEAR(up.y, expected.y, 1e-5);
        EXPECT_NEAR(up.z, expected.z, 1e-5);
    }
}

TEST(PaneCameras, fillThePane_withAnyShape) {
    const auto stick = std::make_shared<const Points>(
        Points{{-3, 0.1F, 0.2F}, {3, 0.4F, -0.2F}, {0, 0.2F, 0}, {1, 0.9F, 0.4F}});
    for (const StandardView view : {StandardView::front, StandardView::right, StandardView::top}) {
        PaneCameras panes = cameras();
        panes.lookAlong(view, stick);
        const render::OrbitCamera& camera = panes.camera(0);
        float widest = 0;
        for (const glm::vec3& point : *stick) {
            const glm::vec4 clip =
                camera.projectionMatrix(1.0F) * camera.viewMatrix() * glm::vec4(point, 1);
            widest = std::max({widest, std::abs(clip.x / clip.w), std::abs(clip.y / clip.w)});
        }
        EXPECT_LE(widest, 0.8601F);
        EXPECT_GT(widest, 0.7F);
    }
}

TEST(PaneCameras, keepTheDirection_whenFraming) {
    PaneCameras panes = cameras();
    panes.lookAlong(StandardView::right, {});
    const float yaw = panes.camera(0).yaw;
    panes.pan(0, {50, 50});
    panes.frame({});
    EXPECT_EQ(panes.camera(0).yaw, yaw);
    EXPECT_LT(glm::length(panes.camera(0).target), 1e-6F);
}

TEST(PaneCameras, stayValid_whenTheWindowIsEmpty) {
    PaneCameras panes;
    panes.setSize({0, 0});
    panes.frame({});
    panes.zoom({0, 0}, 1);
    panes.orbit(0, {5, 5});
    EXPECT_GT(panes.camera(0).distance, 0.0F);
}

}  // namespace
}  // namespace threefold::ui
