#include "engine/board/bundle_adjustment.h"

#include <array>
#include <cstddef>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "engine/random_numbers.h"

namespace threefold::board {
namespace {

using PoseStep = std::array<double, kPoseParameters>;

constexpr std::array<double RadialLens::*, kLensParameters> kLensValues = {
    &RadialLens::focalLength, &RadialLens::principalX, &RadialLens::principalY, &RadialLens::k1,
    &RadialLens::k2};

/// One marker in one photograph: the lens and the poses of the photograph and of the marker are
/// random.
class CornerDerivativesTest : public testing::Test {
  protected:
    CornerDerivativesTest() {
        problem_.lensPriors.resize(1);
        problem_.lensIndices = {0};
        problem_.markerSide = 0.7;
        problem_.markerPosesKnown = false;
        problem_.observations = {{0, 1, {}}};
    }

    /// Draws a random state, with the world's origin `depth` in front of the camera.
    void drawState(double depth) {
        const auto within = [&](double limit) { return random_.uniform(-limit, limit); };
        state_.lenses = {{random_.uniform(500, 4000), random_.uniform(200, 2000),
                          random_.uniform(200, 2000), within(0.2), within(0.2)}};
        state_.poses.assign(1, {});
        state_.markerPoses.assign(2, {});
        applyStep(state_.poses[0],
                  PoseStep{within(3), within(3), within(3), within(2), within(2), depth});
        applyStep(state_.markerPoses[1],
                  PoseStep{within(3), within(3), within(3), within(1), within(1), within(1)});
    }

    glm::dvec2 residual() const {
        return cornerResidual(problem_, state_, problem_.observations[0], corner_);
    }

    /// Central difference between the offsets −`step` and `step`; moveBy(offset) moves a value of
    /// state_.
    template <class MoveBy>
    glm::dvec2 difference(double step, const MoveBy& moveBy) {
        const BundleAdjustmentState original = state_;
        moveBy(step);
        const glm::dvec2 above = residual();
        state_ = original;
        moveBy(-step);
        const glm::dvec2 below = residual();
        state_ = original;
        return (above - below) / (2 * step);
    }

    glm::dvec2 poseDifference(RigidTransform& pose, std::size_t parameter) {
        constexpr double kStep = 1e-4;
        return difference(kStep, [&](double offset) {
            PoseStep step{};
            step[parameter] = offset;
            applyStep(pose, step);
        });
    }

    static void expectEqual(glm::dvec2 derivative, glm::dvec2 difference) {
        constexpr double kTolerance = 1e-6;
        constexpr double kRounding = 1e-10;  // rounding error of differences of pixels
        EXPECT_LE(glm::length(derivative - difference),
                  kTolerance * glm::length(difference) + kRounding);
    }

    /// Compares all derivatives of all corners with differences.
    void expectDifferences() {
        for (corner_ = 0; corner_ < 4; ++corner_) {
            const CornerDerivatives derivatives =
                cornerDerivatives(problem_, state_, problem_.observations[0], corner_);
            for (std::size_t k = 0; k < kLensParameters; ++k) {
                SCOPED_TRACE(testing::Message() << "corner " << corner_ << ", lens " << k);
                constexpr double kStep = 0.1;  // residuals are linear in each parameter of a lens
                expectEqual(derivatives.lens[k], difference(kStep, [&](double offset) {
                                state_.lenses[0].*kLensValues[k] += offset;
                            }));
            }
            for (std::size_t k = 0; k < kPoseParameters; ++k) {
                SCOPED_TRACE(testing::Message() << "corner " << corner_ << ", pose " << k);
                expectEqual(derivatives.pose[k], poseDifference(state_.poses[0], k));
                expectEqual(derivatives.markerPose[k], poseDifference(state_.markerPoses[1], k));
            }
        }
    }

    RandomGenerator random_{1, "corner derivatives"};
    BundleAdjustmentProblem problem_;
    BundleAdjustmentState state_;
    std::size_t corner_ = 0;
};

TEST_F(CornerDerivativesTest, equalDifferences_inFrontOfTheCamera) {
    for (int i = 0; i < 100; ++i) {
        SCOPED_TRACE(i);
        drawState(random_.uniform(5, 30));
        expectDifferences();
    }
}

TEST_F(CornerDerivativesTest, equalDifferences_behindTheCamera) {
    for (int i = 0; i < 20; ++i) {
        SCOPED_TRACE(i);
        drawState(random_.uniform(-30, -5));
        // Distortion would make residuals so huge that rounding errors would exceed their
        // differences.
        state_.lenses[0].k1 = state_.lenses[0].k2 = 0;
        expectDifferences();
    }
}

}  // namespace
}  // namespace threefold::board
