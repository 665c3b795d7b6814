#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <stop_token>
#include <vector>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/silhouettes/object_box.h"

namespace threefold {
namespace {

constexpr int kSide = 100;
constexpr double kFocal = 200;

/// Pose of a camera at distance 4 and azimuth `degrees` that looks at the origin, z up.
Pose poseAt(double degrees) {
    const double angle = degrees * std::numbers::pi / 180;
    const glm::dvec3 back(std::cos(angle), std::sin(angle), 0);
    const glm::dvec3 right(-std::sin(angle), std::cos(angle), 0);
    Pose pose;
    pose.centre = 4.0 * back;
    pose.rotation = glm::transpose(glm::dmat3(right, glm::dvec3(0, 0, 1), back));
    return pose;
}

/// Mask of a ball around the origin.
PosedMask ball(double degrees, double radius, int width = kSide) {
    PosedMask made{poseAt(degrees), {}, {width, width, {}}};
    made.lens.width = made.lens.height = kSide;
    made.lens.focalX = made.lens.focalY = kFocal;
    made.lens.principalX = made.lens.principalY = kSide / 2.0;
    const double limit = kFocal * radius / std::sqrt(16 - radius * radius);
    for (int y = 0; y < width; ++y)
        for (int x = 0; x < width; ++x) {
            const double scale = double{kSide} / width;
            const glm::dvec2 off((x + 0.5) * scale - kSide / 2.0, (y + 0.5) * scale - kSide / 2.0);
            made.mask.inside.push_back(glm::length(off) < limit ? 1 : 0);
        }
    return made;
}

std::vector<PosedMask> ballAround(double radius) {
    std::vector<PosedMask> masks;
    for (int i = 0; i < 6; ++i) masks.push_back(ball(60.0 * i, radius));
    return masks;
}

TEST(SilhouetteQuery, keepsPoints_insideItsMask) {
    for (const int width : {kSide, 57}) {
        const PosedMask mask = ball(0, 0.6, width);
        const SilhouetteQuery view(mask);
        EXPECT_TRUE(view.isClearOfBorder());
        EXPECT_TRUE(view.mayContain({0, 0.5, 0}));
        EXPECT_FALSE(view.mayContain({0, 0.7, 0}));
        EXPECT_FALSE(view.mayContain({0, 30, 0})) << "outside of the photograph";
        EXPECT_FALSE(view.mayContain({9, 0, 0})) << "behind the camera";
    }
}

TEST(SilhouetteQuery, isUnknownBeyondTheBorder_whenCutOff) {
    const PosedMask mask = ball(0, 1.2);
    const SilhouetteQuery view(mask);
    EXPECT_FALSE(view.isClearOfBorder());
    EXPECT_TRUE(view.mayContain({0, 30, 0}));
    PosedMask markedClear = mask;
    markedClear.isClearOfBorder = true;
    EXPECT_FALSE(SilhouetteQuery(markedClear).mayContain({0, 30, 0}));
}

TEST(SilhouetteQuery, keepsEverything_whenItIsEmpty) {
    PosedMask mask = ball(0, 0.6);
    std::ranges::fill(mask.mask.inside, std::uint8_t{0});
    const SilhouetteQuery view(mask);
    EXPECT_TRUE(view.isEmpty());
    EXPECT_TRUE(view.mayContain({0, 0, 0}));
    EXPECT_TRUE(silhouetteQueries(std::span(&mask, 1)).empty());
}

TEST(SilhouetteQuery, hasTheOutermostPixels_asOutline) {
    PosedMask mask = ball(0, 0.6, 5);
    mask.mask.inside = {0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0};
    const std::vector<glm::ivec2> outline = SilhouetteQuery(mask).outlinePixels();
    EXPECT_EQ(outline.size(), 8U);
    EXPECT_THAT(outline, testing::Not(testing::Contains(glm::ivec2(2, 2))));
}

TEST(HullBox, enclosesTheHull_inAnyAxes) {
    const std::vector<PosedMask> masks = ballAround(0.5);
    const std::vector<SilhouetteQuery> views = silhouetteQueries(masks);
    const double angle = 0.5;
    const glm::dmat3 turned(std::cos(angle), -std::sin(angle), 0, std::sin(angle), std::cos(angle),
                            0, 0, 0, 1);
    for (const glm::dmat3& axes : {glm::dmat3(1.0), turned}) {
        const Box3d box = hullBox(views, {glm::dvec3(-1), glm::dvec3(1)}, 80, axes);
        EXPECT_NEAR(glm::length(box.centre()), 0, 0.03);
        EXPECT_NEAR(box.max.z - box.min.z, 1, 0.06);
        EXPECT_NEAR(box.max.x - box.min.x, 1.1, 0.12) << "a hull of six sides has corners";
    }
    EXPECT_TRUE(hullBox(views, {glm::dvec3(2), glm::dvec3(3)}, 8).isEmpty());
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(
        hullBox(views, {glm::dvec3(-1), glm::dvec3(1)}, 8, glm::dmat3(1.0), stop.get_token()),
        Cancelled);
}

TEST(ObjectBox, isThatOfABall) {
    const std::vector<PosedMask> masks = ballAround(0.5);
    const auto box = objectBox(masks, false);
    ASSERT_TRUE(box);
    EXPECT_NEAR(glm::length(box->centre()), 0, 0.03);
    EXPECT_NEAR(box->max.z - box->min.z, 1, 0.08);
    EXPECT_FALSE(objectBox(std::span(masks).first(1), false));
    const std::array same{masks[0], masks[0]};
    EXPECT_FALSE(objectBox(same, false)) << "parallel views";
}

}  // namespace
}  // namespace threefold
