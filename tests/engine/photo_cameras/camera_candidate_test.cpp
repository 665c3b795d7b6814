#include "engine/photo_cameras/camera_candidate.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/silhouettes/silhouette_query.h"
#include "tests/engine/turntable/scene.h"

namespace threefold::test {
namespace {

using Scene = TurntableScene;

/// Photographs of a figure with true cameras and masks.
class OutlineScoreOf : public testing::Test {
  protected:
    OutlineScoreOf() {
        for (PosedMask& view : Scene::outlines(Scene::figure(), Scene::azimuths(8, 45))) {
            cameras_.emplace_back(PhotoCamera{view.pose, view.lens});
            masks_.emplace_back(std::move(view.mask));
        }
    }
    OutlineScore score() const { return outlineScore(cameras_, masks_, {}); }

    std::vector<std::optional<PhotoCamera>> cameras_;
    std::vector<std::optional<Mask>> masks_;
};

TEST_F(OutlineScoreOf, isNearlyOne_whenCamerasAreTrue) {
    EXPECT_EQ(score().photographCount, 8U);
    EXPECT_EQ(score().cameraCount, 8U);
    EXPECT_GT(score().overlap, 0.98);
    EXPECT_DOUBLE_EQ(score().explained, score().overlap);
    EXPECT_TRUE(score().explainsAll());
}

TEST_F(OutlineScoreOf, isTheSame_whenTheWorldIsScaled) {
    const OutlineScore before = score();
    for (std::optional<PhotoCamera>& camera : cameras_) camera->pose.centre *= 512.0;
    EXPECT_NEAR(score().overlap, before.overlap, 1e-3);
}

TEST_F(OutlineScoreOf, countsPhotographsWithoutACamera_asNotExplained) {
    for (std::size_t i = 4; i < 8; ++i) cameras_[i].reset();
    EXPECT_EQ(score().cameraCount, 4U);
    EXPECT_GT(score().overlap, 0.98);
    EXPECT_NEAR(score().explained, score().overlap / 2, 1e-9);
    EXPECT_FALSE(score().explainsAll());
}

TEST_F(OutlineScoreOf, isLow_whenCamerasAreExchanged) {
    std::swap(cameras_[1], cameras_[5]);
    std::swap(cameras_[2], cameras_[7]);
    EXPECT_LT(score().overlap, 0.8);
    EXPECT_FALSE(score().explainsAll());
}

TEST_F(OutlineScoreOf, isLow_whenAllCamerasAreTheSame) {
    for (std::optional<PhotoCamera>& camera : cameras_) camera = cameras_.front();
    EXPECT_LT(score().overlap, 0.9);
    EXPECT_FALSE(score().explainsAll());
}

TEST_F(OutlineScoreOf, leavesOutPhotographs_withoutAMaskOrWithAnOutlineAtTheBorder) {
    cameras_[0].reset();
    masks_[0].reset();
    cameras_[1].reset();
    std::fill_n(masks_[1]->inside.begin(), Scene::kWidth, std::uint8_t{1});
    EXPECT_EQ(score().cameraCount, 6U);
    EXPECT_DOUBLE_EQ(score().explained, score().overlap);
    EXPECT_GT(score().explained, 0.98);
}

TEST_F(OutlineScoreOf, isZero_whenNoMaskIsKnown) {
    std::ranges::fill(masks_, std::nullopt);
    EXPECT_EQ(score().cameraCount, 8U);
    EXPECT_EQ(score().overlap, 0);
    EXPECT_FALSE(score().explainsAll());
}

TEST_F(OutlineScoreOf, endsWithoutAResult_whenCancelled) {
    std::stop_source cancel;
    cancel.request_stop();
    EXPECT_THROW(outlineScore(cameras_, masks_, cancel.get_token()), Cancelled);
}

TEST(BestCandidate, explainsMost_andIsTheFirstOfEqualOnes) {
    const CameraCandidate half{CameraMethod::colmap, {}, {.overlap = 1, .explained = 0.5}};
    const CameraCandidate all{CameraMethod::turntable, {}, {.overlap = 0.9, .explained = 0.9}};
    const CameraCandidate same{CameraMethod::colmap, {}, {.overlap = 0.9, .explained = 0.9}};
    EXPECT_EQ(bestCandidate(std::vector{half, all}), 1U);
    EXPECT_EQ(bestCandidate(std::vector{same, all}), 0U);
}

}  // namespace
}  // namespace threefold::test
