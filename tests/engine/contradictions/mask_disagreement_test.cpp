#include "engine/contradictions/mask_disagreement.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/raster/render_mask.h"
#include "engine/silhouettes/silhouette_set.h"
#include "tests/engine/hull/shapes.h"

namespace threefold {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr int kSide = 224;
constexpr int kViews = 16;

class MaskDisagreementTest : public testing::Test {
  protected:
    MaskDisagreementTest() : cameras_(test::camerasAround(kViews)) {
        const Mesh chair = test::chair();
        for (const Camera& camera : cameras_)
            masks_.push_back(renderMask(chair.vertices, chair.faces, Pose{}, camera, kSide, kSide));
    }

    std::vector<ContradictingSilhouette> find(int threads = 2) {
        silhouettes_ = {};
        for (std::size_t i = 0; i < masks_.size(); ++i) silhouettes_.add(cameras_[i], masks_[i]);
        return findContradictingSilhouettes(silhouettes_.all(), threads, {});
    }

    /// Sets rows of a mask to 0, or their middle halves to 1; `from` and `to` are fractions between
    /// the first and the last row of the object.
    void setRows(std::size_t view, double from, double to, std::uint8_t value) {
        Mask& mask = masks_[view];
        const auto inside = std::ranges::find(mask.inside, 1);
        const auto lastInside = std::find(mask.inside.rbegin(), mask.inside.rend(), 1);
        const auto top = static_cast<double>((inside - mask.inside.begin()) / kSide);
        const auto bottom = static_cast<double>((mask.inside.rend() - lastInside) / kSide);
        for (int y = 0; y < kSide; ++y) {
            const double fraction = (y - top) / (bottom - top);
            if (fraction < from || fraction > to) continue;
            const auto row = mask.inside.begin() + std::ptrdiff_t{y} * kSide;
            if (value == 0) std::fill_n(row, kSide, std::uint8_t{0});
            if (value == 1) std::fill_n(row + kSide / 4, kSide / 2, std::uint8_t{1});
        }
    }

    static std::vector<std::size_t> viewsOf(const std::vector<ContradictingSilhouette>& found) {
        std::vector<std::size_t> views;
        for (const ContradictingSilhouette& each : found) views.push_back(each.viewIndex);
        std::ranges::sort(views);
        return views;
    }

    std::vector<Camera> cameras_;
    std::vector<Mask> masks_;
    SilhouetteSet silhouettes_;
};

TEST_F(MaskDisagreementTest, namesNoView_whenMasksAreRight) {
    EXPECT_THAT(find(), IsEmpty());
}

TEST_F(MaskDisagreementTest, namesNoView_whenRightMasksAreCoarse) {
    for (const int side : {24, 50, 100}) {
        const std::vector<Mask> fine = masks_;
        for (Mask& mask : masks_) mask = resized(mask, side, side);
        EXPECT_THAT(find(), IsEmpty()) << side;
        masks_ = fine;
    }
}

TEST_F(MaskDisagreementTest, namesMasks_whichLackAPart) {
    setRows(3, 0, 0.25, 0);
    setRows(9, 0.7, 1, 0);
    const std::vector<ContradictingSilhouette> found = find();
    EXPECT_THAT(viewsOf(found), ElementsAre(3, 9));
    EXPECT_TRUE(std::ranges::all_of(found, &ContradictingSilhouette::isIncomplete));
}

TEST_F(MaskDisagreementTest, namesBoth_whenTwoMasksLackTheSamePart) {
    setRows(3, 0, 0.3, 0);
    setRows(4, 0, 0.3, 0);
    EXPECT_THAT(viewsOf(find()), ElementsAre(3, 4));
}

TEST_F(MaskDisagreementTest, namesTheMask_whichHoldsBackground) {
    setRows(5, -0.4, 0.2, 1);
    const std::vector<ContradictingSilhouette> found = find();
    ASSERT_THAT(viewsOf(found), ElementsAre(5));
    EXPECT_FALSE(found.front().isIncomplete());
    EXPECT_GT(found.front().disagreement.surplus, 0.2);
}

TEST_F(MaskDisagreementTest, namesNoView_whenAThirdOfTheMasksIsWrong) {
    for (const std::size_t view : {1, 3, 6, 8, 11}) setRows(view, 0, 0.3, 0);
    EXPECT_THAT(find(), IsEmpty());
}

TEST_F(MaskDisagreementTest, namesNoView_whenTooFewCanJudge) {
    cameras_.resize(kMinViewsToCompareMasks - 1);
    masks_.resize(kMinViewsToCompareMasks - 1);
    setRows(3, 0, 0.3, 0);
    EXPECT_THAT(find(), IsEmpty());
}

TEST_F(MaskDisagreementTest, isRefused_whenThereAreOnlyTwoViews) {
    const std::vector<const SilhouetteField*> two(2, nullptr);
    EXPECT_THROW(maskDisagreements(two, 1, {}), InputError);
}

TEST_F(MaskDisagreementTest, isTheSame_forAnyNumberOfThreads) {
    setRows(3, 0, 0.25, 0);
    setRows(5, -0.4, 0.2, 1);
    const std::vector<ContradictingSilhouette> one = find(1);
    const std::vector<ContradictingSilhouette> three = find(3);
    ASSERT_EQ(one.size(), three.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_EQ(one[i].viewIndex, three[i].viewIndex);
        EXPECT_EQ(one[i].disagreement.missing, three[i].disagreement.missing);
        EXPECT_EQ(one[i].disagreement.surplus, three[i].disagreement.surplus);
    }
}

TEST_F(MaskDisagreementTest, endsWithCancelled_whenStopped) {
    find();
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(maskDisagreements(silhouettes_.all(), 2, stop.get_token()), Cancelled);
}

}  // namespace
}  // namespace threefold
