#include "engine/board/start_poses.h"

#include <cstddef>
#include <vector>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "engine/board/board_layout.h"
#include "engine/board/bundle_adjuster.h"

namespace threefold::board {
namespace {

/// Three photographs from above, of markers in a row along x in the plane z = 0.
class ThreePhotographs : public testing::Test {
  protected:
    ThreePhotographs() {
        problem_.lensPriors = {{kLens, {40, 15, 15, 0.1, 0.1}}};
        problem_.lensIndices = {0, 0, 0};
        problem_.markerSide = 2;
        problem_.markerPosesKnown = false;
    }

    static RigidTransform markerPose(std::size_t marker) {
        return {glm::dmat3(1.0), {5.0 * static_cast<double>(marker), 0, 0}};
    }
    /// Transform from the world to a camera; cameras have y down and look along +z.
    static RigidTransform cameraPose(std::size_t photograph) {
        return {glm::dmat3(1, 0, 0, 0, -1, 0, 0, 0, -1),
                {-2.0 - 3.0 * static_cast<double>(photograph), 1, 30}};
    }

    void show(std::size_t photograph, std::size_t marker) {
        MarkerObservation& observed = problem_.observations.emplace_back();
        observed.photoIndex = photograph;
        observed.markerIndex = marker;
        for (std::size_t k = 0; k < 4; ++k)
            observed.corners[k] = projectRadial(
                kLens, cameraPose(photograph)
                           .apply(markerPose(marker).apply(glm::dvec3(kUnitMarkerCorners[k], 0))));
    }

    BundleAdjuster bundle(std::vector<int> ids) const {
        const StartPoses start = startPosesFromMarkers(problem_, ids.size());
        return {{problem_, {4, 7, 9}, std::move(ids)}, start};
    }

    static constexpr RadialLens kLens{1000, 500, 500, 0, 0};
    BundleAdjustmentProblem problem_;
};

using StartPosesTest = ThreePhotographs;
using BundleAdjusterTest = ThreePhotographs;

TEST_F(StartPosesTest, areChainedFromTheFirstMarker) {
    show(0, 0);
    show(0, 1);
    show(1, 1);
    show(1, 2);
    const StartPoses start = startPosesFromMarkers(problem_, 3);
    for (std::size_t i = 0; i < 2; ++i) {
        ASSERT_TRUE(start.photographs[i]);
        EXPECT_LT(glm::length(start.photographs[i]->translation - cameraPose(i).translation), 1e-5);
    }
    for (std::size_t i = 0; i < 3; ++i) {
        ASSERT_TRUE(start.markers[i]);
        EXPECT_LT(glm::length(start.markers[i]->translation - markerPose(i).translation), 1e-5);
    }
}

TEST_F(StartPosesTest, areMissing_whereNothingIsConnectedWithTheFirstMarker) {
    show(0, 0);
    show(0, 1);
    show(2, 2);
    show(2, 3);
    const StartPoses start = startPosesFromMarkers(problem_, 4);
    EXPECT_TRUE(start.photographs[0]);
    EXPECT_FALSE(start.photographs[2]);
    EXPECT_TRUE(start.markers[1]);
    EXPECT_FALSE(start.markers[2]);
    EXPECT_FALSE(start.markers[3]);
}

TEST_F(StartPosesTest, ignoreMarkersSeenEdgeOn) {
    show(0, 0);
    show(0, 1);
    for (glm::dvec2& corner : problem_.observations[1].corners) corner.y = 500;
    removeDegenerateObservations(problem_);
    ASSERT_EQ(problem_.observations.size(), 1U);
    EXPECT_EQ(problem_.observations[0].markerIndex, 0U);
}

TEST_F(BundleAdjusterTest, keepsPhotographsAndMarkersThatHaveAStartPose) {
    show(0, 0);
    show(0, 1);
    show(1, 0);
    show(2, 2);
    show(2, 3);
    const BundleAdjuster kept = bundle({10, 11, 12, 13});
    EXPECT_EQ(kept.photoIndices(), (std::vector<std::size_t>{4, 7}));
    EXPECT_EQ(kept.markerIds(), (std::vector<int>{10, 11}));
    EXPECT_EQ(kept.photoErrorOf(0).markerCount, 2U);
    EXPECT_LT(kept.photoErrorOf(0).reprojectionError, 1e-5);
    EXPECT_LT(kept.photoErrorOf(1).reprojectionError, 1e-5);
}

TEST_F(BundleAdjusterTest, putsTheWorldAtTheMarkerSeenMost_whenTheFirstIsNoLongerSeen) {
    show(0, 0);
    show(0, 1);
    show(1, 1);
    show(1, 2);
    show(2, 2);
    BundleAdjuster kept = bundle({10, 11, 12});
    kept.keepPhotographs({false, true, true});
    EXPECT_EQ(kept.photoIndices(), (std::vector<std::size_t>{7, 9}));
    EXPECT_EQ(kept.markerIds(), (std::vector<int>{12, 11}));
    EXPECT_LT(glm::length(kept.state().markerPoses[0].translation), 1e-9);
    EXPECT_LT(glm::length(kept.state().markerPoses[1].translation - glm::dvec3(-5, 0, 0)), 1e-5);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_LT(kept.photoErrorOf(i).reprojectionError, 1e-5);
}

}  // namespace
}  // namespace threefold::board
