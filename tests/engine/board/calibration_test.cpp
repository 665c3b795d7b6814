#include "engine/board/calibration.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <stop_token>
#include <vector>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/board/board_layout.h"
#include "engine/error.h"
#include "tests/engine/board/scene.h"
#include "tests/support/message_of.h"

namespace threefold::test {
namespace {

using namespace board;
using testing::HasSubstr;

/// Corners of all markers in the photographs, with Gaussian noise of `noise` pixels.
std::vector<MarkedPhoto> markersIn(const std::vector<Pose>& cameras, double noise) {
    std::mt19937 random(5);  // NOLINT(cert-msc*): a fixed seed
    std::normal_distribution<double> off(0, noise);
    std::vector<MarkedPhoto> made;
    for (const Pose& camera : cameras) {
        MarkedPhoto& each = made.emplace_back();
        each.size = {BoardScene::kWidth, BoardScene::kHeight};
        each.focalLength35mm = 26;
        for (int id = kFirstMarkerId; id < kFirstMarkerId + kMarkerCount; ++id) {
            Marker& marker = each.markers.emplace_back();
            marker.id = id;
            for (std::size_t k = 0; k < 4; ++k)
                marker.corners[k] =
                    BoardScene::pixelOf(
                        camera,
                        glm::dvec3(*markerCentre(id) + kUnitMarkerCorners[k] * (kMarkerSide / 2),
                                   0)) +
                    glm::dvec2(off(random), off(random));
        }
    }
    return made;
}

double degreesBetween(const Pose& one, const Pose& other) {
    const glm::dmat3 turn = one.rotation * glm::transpose(other.rotation);
    return glm::degrees(std::acos(std::min(1.0, (turn[0][0] + turn[1][1] + turn[2][2] - 1) / 2)));
}

/// `seen` with the ids of a sheet that is not the printed board.
std::vector<MarkedPhoto> ofUnknownSheet(std::vector<MarkedPhoto> seen) {
    for (MarkedPhoto& each : seen)
        for (Marker& marker : each.markers) marker.id -= kFirstMarkerId;
    return seen;
}

/// Moves the markers of a photograph so that no pose of the sheet explains them.
void contradict(MarkedPhoto& photograph) {
    for (Marker& marker : photograph.markers)
        for (glm::dvec2& corner : marker.corners) corner.x += marker.id % 3 * 40;
}

TEST(Calibration, findsCamerasAndLens) {
    const std::vector<Pose> cameras = BoardScene::cameras(6);
    const Calibration made = calibrate(markersIn(cameras, 0.2), boardFamily(), 1);
    ASSERT_EQ(made.cameras.size(), cameras.size());
    EXPECT_TRUE(made.hasPrintedBoard);
    EXPECT_NEAR(made.reprojectionError, 0.2 * std::sqrt(2), 0.04);
    for (std::size_t i = 0; i < cameras.size(); ++i) {
        EXPECT_LT(degreesBetween(made.cameras[i].pose, cameras[i]), 0.35);
        EXPECT_LT(glm::length(made.cameras[i].pose.centre - cameras[i].centre), 1.5);
        EXPECT_NEAR(made.cameras[i].lens.focalX, 610, 3);
        EXPECT_NEAR(made.cameras[i].lens.k1, 0.04, 0.02);
    }
}

TEST(Calibration, isUnchanged_whenAMarkerIsFalse) {
    const std::vector<Pose> cameras = BoardScene::cameras(4);
    std::vector<MarkedPhoto> seen = markersIn(cameras, 0);
    for (glm::dvec2& corner : seen[1].markers[3].corners) corner += glm::dvec2(60, -30);
    const Calibration made = calibrate(seen, boardFamily(), 1);
    for (std::size_t i = 0; i < cameras.size(); ++i)
        EXPECT_LT(glm::length(made.cameras[i].pose.centre - cameras[i].centre), 0.5);
}

TEST(Calibration, leavesOutPhotographs_withFewMarkersOrAnotherBoard) {
    std::vector<MarkedPhoto> seen = markersIn(BoardScene::cameras(5), 0.1);
    seen[0].markers.resize(1);
    seen[2].markers.clear();
    contradict(seen[3]);
    const Calibration made = calibrate(seen, boardFamily(), 1);
    EXPECT_EQ(made.cameras.size(), 2);
    ASSERT_EQ(made.leftOut.size(), 3);
    EXPECT_THAT(made.leftOut[0].reason, HasSubstr("1 of the 2 markers needed"));
    EXPECT_THAT(made.leftOut[1].reason, HasSubstr("no marker"));
    EXPECT_THAT(made.leftOut[2].reason, HasSubstr("pixels away from the board's layout"));
    seen.resize(2);
    EXPECT_THROW(calibrate(seen, boardFamily(), 1), InputError);
}

TEST(Calibration, measuresTheLayout_whenItIsUnknown) {
    const std::vector<Pose> cameras = BoardScene::cameras(6);
    std::vector<MarkedPhoto> seen = ofUnknownSheet(markersIn(cameras, 0.1));
    const Calibration made = calibrate(seen, boardFamily(), kMarkerSide);
    ASSERT_EQ(made.cameras.size(), cameras.size());
    EXPECT_FALSE(made.hasPrintedBoard);
    EXPECT_TRUE(made.isUpKnown);
    for (std::size_t i = 1; i < cameras.size(); ++i)
        EXPECT_NEAR(glm::length(made.cameras[i].pose.centre - made.cameras[0].pose.centre) /
                        glm::length(cameras[i].centre - cameras[0].centre),
                    1, 0.01);
}

TEST(Calibration, hasNoSheet_whenAMarkerStandsUpright) {
    const std::vector<Pose> cameras = BoardScene::cameras(6);
    std::vector<MarkedPhoto> seen;
    for (const Pose& camera : cameras) {
        Marker lying{0, {}}, upright{1, {}};
        for (std::size_t k = 0; k < 4; ++k) {
            const glm::dvec2 corner = kUnitMarkerCorners[k] * (kMarkerSide / 2);
            lying.corners[k] = BoardScene::pixelOf(camera, {corner.x - 150, corner.y, 0});
            upright.corners[k] = BoardScene::pixelOf(camera, {corner.x + 150, 0, corner.y});
        }
        seen.push_back({{BoardScene::kWidth, BoardScene::kHeight}, 26, {lying, upright}});
    }
    const Calibration made = calibrate(seen, boardFamily(), kMarkerSide);
    ASSERT_EQ(made.cameras.size(), cameras.size());
    EXPECT_FALSE(made.sheet);
    EXPECT_FALSE(made.isUpKnown);
}

TEST(Calibration, leavesOutAMarker_whenItsCornersAreCollinear) {
    const std::vector<Pose> cameras = BoardScene::cameras(6);
    std::vector<MarkedPhoto> seen = ofUnknownSheet(markersIn(cameras, 0.1));
    for (MarkedPhoto& each : seen)
        for (std::size_t k = 0; k < 4; ++k)
            // The corners extend farther than those of any other marker.
            each.markers[3].corners[k] = glm::dvec2(200 + 300 * k, 400);
    const Calibration made = calibrate(seen, boardFamily(), kMarkerSide);
    ASSERT_EQ(made.cameras.size(), cameras.size());
    EXPECT_LT(made.reprojectionError, 0.3);
    for (std::size_t i = 1; i < cameras.size(); ++i)
        EXPECT_NEAR(glm::length(made.cameras[i].pose.centre - made.cameras[0].pose.centre) /
                        glm::length(cameras[i].centre - cameras[0].centre),
                    1, 0.01);
}

TEST(Calibration, leavesOutPhotographs_whenTheyShareNoMarkerWithTheOthers) {
    std::vector<MarkedPhoto> seen = ofUnknownSheet(markersIn(BoardScene::cameras(5), 0.1));
    for (std::size_t i = 0; i < seen.size(); ++i)
        std::erase_if(seen[i].markers,
                      [&](const Marker& marker) { return (marker.id < 12) != (i < 3); });
    const Calibration made = calibrate(seen, boardFamily(), kMarkerSide);
    EXPECT_EQ(made.cameras.size(), 3);
    ASSERT_EQ(made.leftOut.size(), 2);
    EXPECT_EQ(made.leftOut[0].photoIndex, 3);
    EXPECT_EQ(made.leftOut[1].photoIndex, 4);
    EXPECT_THAT(made.leftOut[0].reason, HasSubstr("shares no usable marker"));
}

TEST(Calibration, equalsCalibrationOfTheOthers_whenPhotographsAreLeftOut) {
    std::vector<Pose> cameras = BoardScene::cameras(6);
    cameras[5].centre *= 2.0;  // so far away that the photograph gives no start pose
    std::vector<MarkedPhoto> seen = ofUnknownSheet(markersIn(cameras, 0.1));
    contradict(seen[5]);
    std::vector<MarkedPhoto> others(seen.begin(), seen.end() - 1);
    // Adds a marker that is visible only in the contradicting photograph and in a photograph
    // without a pose.
    Marker lonely = seen[5].markers[0];
    lonely.id = kMarkerCount + 1;
    seen[5].markers.push_back(lonely);
    seen.push_back({seen[0].size, 26, {lonely}});

    const Calibration made = calibrate(seen, boardFamily(), kMarkerSide);
    const Calibration expected = calibrate(others, boardFamily(), kMarkerSide);
    ASSERT_EQ(made.cameras.size(), 5);
    ASSERT_EQ(expected.cameras.size(), 5);
    ASSERT_EQ(made.leftOut.size(), 2);
    for (std::size_t i = 0; i < 5; ++i)
        EXPECT_LT(glm::length(made.cameras[i].pose.centre - expected.cameras[i].pose.centre), 0.03);
}

TEST(Calibration, saysThatPhotographsContradict_whenFewerThanTwoAgree) {
    std::vector<MarkedPhoto> seen = markersIn(BoardScene::cameras(3), 0.1);
    contradict(seen[1]);
    contradict(seen[2]);
    EXPECT_THAT(messageOf<InputError>([&] { calibrate(seen, boardFamily(), 1); }),
                HasSubstr("only 1 of 3 photographs agree with each other"));
}

TEST(Calibration, calibratesHundredsOfPhotographs_andIsCancelled) {
    const std::vector<Pose> truth = BoardScene::cameras(300);
    const std::vector<MarkedPhoto> seen = markersIn(truth, 0.2);
    const Calibration made = calibrate(seen, boardFamily(), 1);
    ASSERT_EQ(made.cameras.size(), 300U);
    for (std::size_t i = 0; i < 300; ++i)
        EXPECT_LT(glm::length(made.cameras[i].pose.centre - truth[i].centre), 2.0);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(calibrate(seen, boardFamily(), 1, stop.get_token()), Cancelled);
}

}  // namespace
}  // namespace threefold::test
