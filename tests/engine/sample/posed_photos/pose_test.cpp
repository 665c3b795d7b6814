#include "engine/sample/posed_photos/camera_file.h"

#include <limits>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/sample/posed_photos/pose_matrix.h"
#include "tests/support/message_of.h"

namespace threefold {
namespace {

using test::messageOf;
using testing::HasSubstr;

PoseMatrix unrotated() {
    return {{{1, 0, 0, 4}, {0, 1, 0, 5}, {0, 0, 1, 6}, {0, 0, 0, 1}}};
}

Pose read(const PoseMatrix& matrix, CameraAxes axes = CameraAxes::opengl,
          MatrixConvention convention = MatrixConvention::cameraToWorld) {
    return poseOfMatrix(matrix, axes, convention, "t.json", "frames[2]").pose;
}

std::string refusal(const PoseMatrix& matrix) {
    return messageOf<InputError>([&] { read(matrix); });
}

TEST(Pose, keepsCentreAndAxes_whenOpenGl) {
    const Pose pose = read(unrotated());
    EXPECT_EQ(pose.centre, glm::dvec3(4, 5, 6));
    EXPECT_EQ(pose.rotation, glm::dmat3(1.0));
}

TEST(Pose, isTheSame_inAllFourConventions) {
    // A camera at (4, 5, 6) that looks along +x, with y up.
    const PoseMatrix gl = {{{0, 0, -1, 4}, {0, 1, 0, 5}, {1, 0, 0, 6}, {0, 0, 0, 1}}};
    const PoseMatrix glBack = {{{0, 0, 1, -6}, {0, 1, 0, -5}, {-1, 0, 0, 4}, {0, 0, 0, 1}}};
    const PoseMatrix cv = {{{0, 0, 1, 4}, {0, -1, 0, 5}, {1, 0, 0, 6}, {0, 0, 0, 1}}};
    const PoseMatrix cvBack = {{{0, 0, 1, -6}, {0, -1, 0, 5}, {1, 0, 0, -4}, {0, 0, 0, 1}}};
    for (const Pose& pose :
         {read(gl), read(glBack, CameraAxes::opengl, MatrixConvention::worldToCamera),
          read(cv, CameraAxes::opencv),
          read(cvBack, CameraAxes::opencv, MatrixConvention::worldToCamera)}) {
        EXPECT_LT(glm::length(pose.centre - glm::dvec3(4, 5, 6)), 1e-12);
        EXPECT_LT(glm::length(pose.toCamera({7, 5, 6}) - glm::dvec3(0, 0, -3)), 1e-12);
        EXPECT_LT(glm::length(pose.toCamera({4, 7, 6}) - glm::dvec3(0, 2, 0)), 1e-12);
    }
}

TEST(Pose, explainsARefusal_whenTheMatrixIsUnusable) {
    PoseMatrix sheared = unrotated();
    sheared[0][1] = 0.2;
    // 0.2 / √1.04: the sheared axis, scaled to length 1, times the other one.
    EXPECT_THAT(refusal(sheared), HasSubstr("differs from the identity by 0.196, allowed is 0.02"));
    EXPECT_THAT(refusal(sheared), HasSubstr("t.json: frames[2]"));

    PoseMatrix mirrored = unrotated();
    mirrored[2][2] = -1;
    EXPECT_THAT(refusal(mirrored), HasSubstr("determinant is -1.000"));

    PoseMatrix transposed = unrotated();
    std::swap(transposed[0][3], transposed[3][0]);
    EXPECT_THAT(refusal(transposed), HasSubstr("the last row is 4 0 0 1"));

    PoseMatrix infinite = unrotated();
    infinite[1][3] = std::numeric_limits<double>::infinity();
    EXPECT_THAT(refusal(infinite), HasSubstr("holds inf, expected at most 1e+09"));

    EXPECT_THAT(refusal({{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 1}}}),
                HasSubstr("not a rotation"));
}

TEST(Pose, isNormalised_whenItsAxesHaveOtherLengths) {
    // A camera at (4, 5, 6) that looks along +x, with y up; its axes have the lengths 2, 0.5 and 3.
    const PoseMatrix toWorld = {{{0, 0, -3, 4}, {0, .5, 0, 5}, {2, 0, 0, 6}, {0, 0, 0, 1}}};
    // The same pose from world to camera, with scaled rows.
    const PoseMatrix toCamera = {{{0, 0, 2, -12}, {0, .5, 0, -2.5}, {-3, 0, 0, 12}, {0, 0, 0, 1}}};
    for (const auto& [matrix, convention] :
         {std::pair(toWorld, MatrixConvention::cameraToWorld),
          std::pair(toCamera, MatrixConvention::worldToCamera)}) {
        const auto [pose, repaired] =
            poseOfMatrix(matrix, CameraAxes::opengl, convention, "t.json", "");
        EXPECT_TRUE(repaired);
        EXPECT_LT(glm::length(pose.centre - glm::dvec3(4, 5, 6)), 1e-12);
        EXPECT_LT(glm::length(pose.toCamera({7, 5, 6}) - glm::dvec3(0, 0, -3)), 1e-12);
    }
    EXPECT_FALSE(
        poseOfMatrix(unrotated(), CameraAxes::opengl, MatrixConvention::cameraToWorld, "", "")
            .repaired);
}

TEST(Pose, isMadeARotation_whenItIsOneUpToRounding) {
    PoseMatrix rounded = unrotated();
    rounded[0][0] = 1.0003;
    rounded[0][1] = 0.0002;
    const Pose pose = read(rounded);
    const glm::dmat3 off = glm::transpose(pose.rotation) * pose.rotation - glm::dmat3(1.0);
    for (int i = 0; i < 3; ++i) EXPECT_LT(glm::length(off[i]), 1e-14);
}

}  // namespace
}  // namespace threefold
