#include "engine/turntable/turntable.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/turntable/motion.h"
#include "engine/turntable/outline_hull.h"
#include "tests/engine/turntable/scene.h"

namespace threefold::test {
namespace {

using namespace turntable;
using Scene = TurntableScene;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Lt;

std::vector<PosedMask> seen(std::span<const Scene::Ball> balls, std::size_t count, double step) {
    std::vector<PosedMask> outlines = Scene::outlines(balls, Scene::azimuths(count, step));
    for (PosedMask& outline : outlines) outline.pose = {};
    return outlines;
}

double tiltOf(const Pose& pose) {
    return std::asin(pose.rotation[2][2]);  // vertical component of the camera's backward axis
}

TEST(Turntable, findsCameras_whenStepsAreEqual) {
    const TurntableSolution found = findTurntable(seen(Scene::figure(), 8, 45), {});
    EXPECT_THAT(found.warnings, IsEmpty());
    EXPECT_TRUE(found.objectTurnsClockwise) << "the camera goes around the object anticlockwise";
    for (std::size_t i = 0; i < 8; ++i) {
        const PosedMask& outline = found.views[i];
        EXPECT_NEAR(found.azimuths[i], 45.0 * static_cast<double>(i), 1.5);
        EXPECT_NEAR(tiltOf(outline.pose), Scene::kTilt, 0.02);
        EXPECT_NEAR(outline.lens.focalX, Scene::kFocal, 10);
    }
    EXPECT_NEAR(found.elevation, std::atan(0.6 - 0.155) * 180 / std::numbers::pi, 2);
    EXPECT_THAT(found.outlineResiduals, Each(Lt(1)));
    EXPECT_THAT(found.uncoveredFractions, Each(Lt(0.01)));
    ASSERT_TRUE(found.objectBox);
    EXPECT_NEAR(found.objectBox->min.z, 0, 1e-9);
    EXPECT_NEAR(found.objectBox->max.z, 0.31, 0.03);
}

TEST(Turntable, findsTheDirection_whenTheTurnIsReversed) {
    const TurntableSolution found = findTurntable(seen(Scene::figure(), 8, -45), {});
    EXPECT_FALSE(found.objectTurnsClockwise);
    EXPECT_THAT(found.warnings, IsEmpty());
    EXPECT_NEAR(found.azimuths[2], -90, 1.5);
}

TEST(Turntable, findsTheFocalLength_whenUnknown) {
    std::vector<PosedMask> outlines = seen(Scene::figure(), 12, 30);
    for (PosedMask& outline : outlines) outline.lens.focalX = outline.lens.focalY = 320;
    const TurntableSolution found = findTurntable(outlines, {.focalSigma = 0.25});
    EXPECT_NEAR(found.views[0].lens.focalX, Scene::kFocal, 12);
}

TEST(Turntable, followsTheOtherMasks_whenOneIsEmptyOrCutOff) {
    std::vector<PosedMask> outlines = seen(Scene::figure(), 12, 30);
    std::ranges::fill(outlines[3].mask.inside, 0);
    std::ranges::fill_n(outlines[5].mask.inside.begin(), 40 * Scene::kWidth, 1);
    const TurntableSolution found = findTurntable(outlines, {});
    for (std::size_t i = 0; i < 12; ++i)
        EXPECT_NEAR(found.azimuths[i], 30.0 * static_cast<double>(i), 1.5);
}

TEST(Turntable, findsAContradiction_whenMostMasksAreEmpty) {
    std::vector<PosedMask> outlines = seen(Scene::figure(), 24, 15);
    for (std::size_t i = 0; i < outlines.size(); ++i)
        if (i % 6 != 0) std::ranges::fill(outlines[i].mask.inside, 0);
    for (int y = 20; y < 50; ++y)  // far above the object
        std::fill_n(outlines[0].mask.inside.begin() + y * Scene::kWidth + 130, 60, std::uint8_t{1});
    const TurntableSolution found = findTurntable(outlines, {});
    // The gravest warning comes first.
    ASSERT_THAT(found.warnings, Not(IsEmpty()));
    EXPECT_THAT(found.warnings.front(), HasSubstr("contradict each other"));
}

TEST(FitMotion, costsTheSame_withOutlinesThatAreEmpty) {
    std::vector<OutlineHull> outlines;
    for (const PosedMask& outline : seen(Scene::figure(), 8, 45))
        outlines.push_back(outlineHullOf(outline));
    constexpr double kWrongTilt = Scene::kTilt - 0.1;
    const auto costOf = [&] {
        TurntableMotion motion{{kWrongTilt, 0, 0, 0, std::numbers::pi / 4}};
        motion.parameters.resize(TurntableMotion::parameterCount(outlines.size()), 0);
        const std::vector<double> sigma(motion.parameters.size(), 1);
        return fitMotion(outlines, {motion.parameters, sigma, 1 / Scene::kFocal}, motion, 0, {})
            .cost;
    };
    const double cost = costOf();
    EXPECT_GT(cost, 1);
    outlines.resize(3 * outlines.size());
    EXPECT_DOUBLE_EQ(costOf(), cost);
}

TEST(Turntable, isUnsure_whenAVaseIsOnTheAxis) {
    const TurntableSolution found = findTurntable(seen(Scene::vase(), 8, 45), {});
    EXPECT_THAT(found.warnings, Contains(HasSubstr("`turn_by`")));
    EXPECT_THAT(found.warnings, Contains(HasSubstr("much the same from all around")));
    const TurntableSolution withDirection =
        findTurntable(seen(Scene::vase(), 8, 45), {.objectTurnsClockwise = true});
    EXPECT_THAT(withDirection.warnings, Not(Contains(HasSubstr("`turn_by`"))));
    EXPECT_THAT(withDirection.warnings, Contains(HasSubstr("much the same from all around")));
}

TEST(Turntable, needsTheStep_whenTheTurnIsPartial) {
    const std::vector<PosedMask> outlines = seen(Scene::figure(), 9, 30);
    EXPECT_THAT(findTurntable(outlines, {}).warnings,
                Contains(HasSubstr("of 40.0°: say how large")));
    const TurntableSolution found = findTurntable(outlines, {.stepDegrees = 30});
    EXPECT_THAT(found.warnings, IsEmpty());
    EXPECT_NEAR(found.azimuths[8], 240, 1.5);
}

TEST(Turntable, namesAPhotograph_whenTwoAreExchanged) {
    std::vector<PosedMask> outlines = seen(Scene::figure(), 12, 30);
    std::swap(outlines[4], outlines[5]);
    EXPECT_THAT(findTurntable(outlines, {}).warnings,
                Contains(HasSubstr("of 12 fits better if turned by 30°")));
}

TEST(Turntable, isUnsure_whenTheGivenDirectionIsWrong) {
    const TurntableSolution found =
        findTurntable(seen(Scene::figure(), 8, 45), {.objectTurnsClockwise = false});
    EXPECT_FALSE(found.objectTurnsClockwise);
    EXPECT_THAT(found.warnings, Contains(HasSubstr("opposite to the given direction")));
}

TEST(Turntable, isUnsure_whenTheFocalLengthIsWrongOrPicturesAreStretched) {
    for (const double wrong : {0.7, 0.85, 1.2}) {
        std::vector<PosedMask> outlines = seen(Scene::figure(), 12, 30);
        for (PosedMask& outline : outlines) {
            outline.lens.focalX *= wrong;
            outline.lens.focalY *= wrong;
        }
        EXPECT_THAT(findTurntable(outlines, {}).warnings,
                    Contains(HasSubstr("fit clearly better with a focal length")))
            << wrong;
    }
    std::vector<PosedMask> outlines = seen(Scene::figure(), 12, 30);
    for (PosedMask& outline : outlines) {
        const Mask before = outline.mask;
        for (int y = 0; y < Scene::kHeight; ++y)
            for (int x = 0; x < Scene::kWidth; ++x) {
                const int from = static_cast<int>(160 + (x + 0.5 - 160) / 1.2);
                outline.mask.inside[static_cast<std::size_t>(y * Scene::kWidth + x)] =
                    before.inside[static_cast<std::size_t>(y * Scene::kWidth + from)];
            }
    }
    EXPECT_THAT(findTurntable(outlines, {}).warnings, Contains(HasSubstr("stretched")));
}

TEST(Turntable, refusesFewerThanThreeOutlines) {
    EXPECT_THROW(findTurntable(seen(Scene::figure(), 2, 180), {}), InputError);
    std::vector<PosedMask> outlines = seen(Scene::figure(), 4, 90);
    for (std::size_t i : {0, 2}) std::ranges::fill(outlines[i].mask.inside, 0);
    EXPECT_THROW(findTurntable(outlines, {}), InputError);
}

TEST(Turntable, findsCamerasOfManyPhotographs_andIsCancelled) {
    const std::vector<PosedMask> outlines = seen(Scene::figure(), 120, 3);
    const TurntableSolution found = findTurntable(outlines, {});
    EXPECT_THAT(found.warnings, IsEmpty());
    for (std::size_t i = 0; i < 120; ++i)
        EXPECT_NEAR(found.azimuths[i], 3.0 * static_cast<double>(i), 1.5);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(findTurntable(outlines, {}, stop.get_token()), Cancelled);
}

TEST(UncoveredFractions, areZero_whenCamerasAreCorrect) {
    std::vector<PosedMask> outlines = Scene::outlines(Scene::figure(), Scene::azimuths(8, 45));
    const Box3d box{{-0.1, -0.1, 0}, {0.2, 0.2, 0.31}};
    EXPECT_THAT(uncoveredFractions(outlines, box), Each(Lt(0.01)));
    std::swap(outlines[1].pose, outlines[4].pose);
    EXPECT_GT(std::ranges::max(uncoveredFractions(outlines, box)), 0.2);
}

}  // namespace
}  // namespace threefold::test
