#include "engine/masks/repair_masks.h"

#include <algorithm>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/cutout/seeded_cutout.h"
#include "engine/error.h"
#include "engine/measures/silhouette.h"
#include "engine/raster/render_mask.h"
#include "tests/engine/hull/shapes.h"

namespace threefold::test {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

constexpr int kSide = 160;
constexpr int kViews = 12;

/// Noisy pictures of a reddish chair in front of a greenish background, seen from all sides, with
/// correct masks.
class RepairMasks : public testing::Test {
  protected:
    RepairMasks() {
        if (!canCutOut()) return;
        const Mesh mesh = chair();
        const std::vector<Camera> cameras = camerasAround(kViews);
        for (int i = 0; i < kViews; ++i) {
            const Camera& camera = cameras[static_cast<std::size_t>(i)];
            right_.push_back(renderMask(mesh.vertices, mesh.faces, Pose{}, camera, kSide, kSide));
            views_.push_back({i, camera, right_.back()});
            pictures_.push_back(pictureOf(right_.back(), static_cast<unsigned>(i)));
        }
    }

    void SetUp() override {
        if (!canCutOut()) GTEST_SKIP() << "built without OpenCV";
    }

    static Image pictureOf(const Mask& mask, unsigned seed) {
        std::mt19937 random(seed);
        std::normal_distribution<float> noise(0, 5);
        Image picture{kSide, kSide, {}};
        for (const std::uint8_t inside : mask.inside) {
            for (const float base :
                 {inside != 0 ? 190.0F : 70.0F, inside != 0 ? 80.0F : 120.0F, 60.0F})
                picture.rgba.push_back(
                    static_cast<std::uint8_t>(std::clamp(base + noise(random), 0.0F, 255.0F)));
            picture.rgba.push_back(255);
        }
        return picture;
    }

    std::vector<MaskRepair> repair(int threads = 2) const {
        return repairMasks(views_,
                           [&](int view) { return pictures_[static_cast<std::size_t>(view)]; },
                           threads, {});
    }

    Mask& mask(std::size_t view) { return *views_[view].mask; }
    void clearRows(std::size_t view, int from, int to) {
        std::fill(mask(view).inside.begin() + from * kSide, mask(view).inside.begin() + to * kSide,
                  std::uint8_t{0});
    }

    std::vector<Mask> right_;
    std::vector<MaskedView> views_;
    std::vector<Image> pictures_;
};

TEST_F(RepairMasks, changesNothing_whenMasksAreCorrect) {
    EXPECT_THAT(repair(), IsEmpty());
}

TEST_F(RepairMasks, findsTheLostPart) {
    clearRows(3, 0, kSide / 2);
    const std::vector<MaskRepair> repairs = repair();
    ASSERT_THAT(repairs, SizeIs(1));
    EXPECT_EQ(repairs[0].view, 3);
    ASSERT_TRUE(repairs[0].mask);
    EXPECT_LT(maskOverlap(*views_[3].mask, right_[3]), 0.8);
    EXPECT_GT(maskOverlap(*repairs[0].mask, right_[3]), 0.95);
    EXPECT_FALSE(repairs[0].isFromHull);
    EXPECT_LT(repairs[0].disagreementAfter.missing, repairs[0].disagreementBefore.missing);
}

TEST_F(RepairMasks, removesBackground) {
    for (int y = 0; y < 60; ++y)
        std::fill_n(mask(5).inside.begin() + y * kSide + 40, 80, std::uint8_t{1});
    const std::vector<MaskRepair> repairs = repair();
    ASSERT_THAT(repairs, SizeIs(1));
    ASSERT_TRUE(repairs[0].mask);
    EXPECT_LT(maskOverlap(*views_[5].mask, right_[5]), 0.8);
    EXPECT_GT(maskOverlap(*repairs[0].mask, right_[5]), 0.95);
}

TEST_F(RepairMasks, replacesMasks_whenEmptyOrOfAnotherObject) {
    clearRows(2, 0, kSide);
    const Mesh other = sphere(0.16);
    mask(8) = renderMask(other.vertices, other.faces, Pose{}, views_[8].camera, kSide, kSide);
    const std::vector<MaskRepair> repairs = repair();
    ASSERT_THAT(repairs, SizeIs(2));
    for (const MaskRepair& each : repairs) {
        ASSERT_TRUE(each.mask) << each.view;
        EXPECT_GT(maskOverlap(*each.mask, right_[static_cast<std::size_t>(each.view)]), 0.93);
    }
}

// Object and background have the same colour, so only the other masks show the object.
TEST_F(RepairMasks, followsTheOtherMasks_whenColoursDoNotDiffer) {
    clearRows(3, 0, kSide / 2);
    for (std::size_t i = 0; i < pictures_.size(); ++i)
        pictures_[i] = pictureOf(Mask{kSide, kSide, std::vector<std::uint8_t>(kSide * kSide)},
                                 static_cast<unsigned>(i));
    const std::vector<MaskRepair> repairs = repair();
    ASSERT_THAT(repairs, SizeIs(1));
    ASSERT_TRUE(repairs[0].mask);
    EXPECT_GT(maskOverlap(*repairs[0].mask, right_[3]),
              maskOverlap(*views_[3].mask, right_[3]) + 0.05);
}

TEST_F(RepairMasks, isTheSame_forAnyNumberOfThreads) {
    clearRows(3, 0, kSide / 2);
    clearRows(7, kSide / 2, kSide);
    const std::vector<MaskRepair> one = repair(1);
    const std::vector<MaskRepair> three = repair(3);
    ASSERT_THAT(one, SizeIs(2));
    ASSERT_THAT(three, SizeIs(2));
    for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_EQ(one[i].view, three[i].view);
        ASSERT_TRUE(one[i].mask && three[i].mask);
        EXPECT_EQ(one[i].mask->inside, three[i].mask->inside);
        EXPECT_EQ(one[i].disagreementAfter.missing, three[i].disagreementAfter.missing);
    }
}

TEST_F(RepairMasks, judgesNoMask_whenFewMasksShowAnObject) {
    views_.resize(kMinViewsToCompareMasks - 1);
    clearRows(2, 0, kSide);
    EXPECT_THAT(repair(), IsEmpty());
}

TEST_F(RepairMasks, endsWithCancelled_whenStopped) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(repairMasks(
                     views_, [&](int) { return pictures_[0]; }, 2, stop.get_token()),
                 Cancelled);
}

}  // namespace
}  // namespace threefold::test
