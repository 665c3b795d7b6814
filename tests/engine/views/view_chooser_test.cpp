#include "engine/views/view_chooser.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace threefold {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

CameraRow at(double azimuth, double elevation = 25) {
    return {azimuth, elevation, 0, 0.8, 25};
}

/// Mask of 8 × 8 pixels with a bar of `columns` columns, starting at column `from`.
Mask bar(int columns, int from = 0) {
    constexpr int kSide = 8;
    Mask mask{kSide, kSide, {}};
    for (int i = 0; i < kSide * kSide; ++i)
        mask.inside.push_back(i % kSide >= from && i % kSide < from + columns ? 1 : 0);
    return mask;
}

std::vector<ViewCandidate> around(std::initializer_list<double> azimuths) {
    std::vector<ViewCandidate> candidates;
    for (const double azimuth : azimuths)
        candidates.push_back({static_cast<int>(candidates.size()), at(azimuth, 0), {}});
    return candidates;
}

TEST(ViewDirections, measureTheAngleSeenFromTheObject) {
    EXPECT_NEAR(angleBetween(at(10, 0), at(350, 0)), 20, 1e-9);
    EXPECT_NEAR(angleBetween(at(0, 30), at(180, 30)), 120, 1e-9);
    EXPECT_NEAR(angleBetween(at(77, 90), at(12, 90)), 0, 1e-9);
    CameraRow farther = at(10, 0);
    farther.distance = 3;
    EXPECT_NEAR(angleBetween(farther, at(10.001, 0)), 0.001, 1e-9);
}

TEST(ViewDirections, nameTheNearest_ofTooSimilarViews) {
    const std::vector<CameraRow> chosen{at(0, 0), at(14, 0), at(100, 0), at(-8, 0)};
    EXPECT_EQ(findTooSimilarView(chosen, 0)->index, 3U);
    EXPECT_NEAR(findTooSimilarView(chosen, 0)->angle, 8, 1e-9);
    EXPECT_EQ(findTooSimilarView(chosen, 1)->index, 0U);
    EXPECT_FALSE(findTooSimilarView(chosen, 2));
    EXPECT_FALSE(findTooSimilarView(std::vector{at(0, 0), at(kMinViewAngleDegrees + 0.01, 0)}, 0));
}

TEST(ViewChooser, choosesSpreadDirections) {
    EXPECT_THAT(ViewChooser(around({0, 5, 118, 10, 240})).best(),
                testing::AllOf(SizeIs(3), testing::Contains(2), testing::Contains(4)));
}

TEST(ViewChooser, avoidsOppositeViews) {
    EXPECT_THAT(ViewChooser(around({0, 180, 64, 128})).best(), ElementsAre(0, 2, 3));
}

TEST(ViewChooser, prefersSmallerSilhouettes_amongEqualDirections) {
    std::vector<ViewCandidate> candidates = around({0, 120, 240, 240});
    for (ViewCandidate& candidate : candidates) candidate.mask = bar(6);
    candidates[3].mask = bar(3);
    EXPECT_THAT(ViewChooser(candidates).best(), ElementsAre(0, 1, 3));
    // A nearer camera sees the same object larger.
    candidates[2].camera.distance = 0.6;
    candidates[2].mask = bar(5);
    EXPECT_THAT(ViewChooser(candidates).best(), ElementsAre(0, 1, 2));
    // A missing silhouette does not count as a small one.
    candidates[2].mask.reset();
    EXPECT_THAT(ViewChooser(candidates).best(), ElementsAre(0, 1, 3));
}

TEST(ViewChooser, doesNotDependOnTheOrderOrTheSizeOfMasks) {
    std::vector<ViewCandidate> candidates = around({0, 31, 77, 130, 200, 260, 300});
    for (std::size_t i = 0; i < candidates.size(); ++i)
        candidates[i].mask = bar(2 + static_cast<int>(i) % 3, static_cast<int>(i) % 4);
    const std::vector<int> chosen = ViewChooser(candidates).best();
    std::ranges::reverse(candidates);
    for (ViewCandidate& candidate : candidates) {
        Mask doubled{16, 16, {}};
        for (int y = 0; y < 16; ++y)
            for (int x = 0; x < 16; ++x)
                doubled.inside.push_back(
                    candidate.mask->inside[static_cast<std::size_t>(y / 2 * 8 + x / 2)]);
        candidate.mask = doubled;
    }
    EXPECT_EQ(ViewChooser(candidates).best(), chosen);
}

TEST(ViewChooser, choosesAll_whenThereAreFew) {
    EXPECT_THAT(ViewChooser(around({0, 1, 2})).best(), ElementsAre(0, 1, 2));
    EXPECT_THAT(ViewChooser(around({0, 1})).best(), ElementsAre(0, 1));
    EXPECT_THAT(ViewChooser({}).best(), testing::IsEmpty());
    EXPECT_THAT(ViewChooser(around({0, 1})).rankedChoices(5), testing::IsEmpty());
}

TEST(ViewChooser, triesEveryViewAndNoChoiceTwice) {
    std::vector<ViewCandidate> candidates;
    for (int view = 0; view < 24; ++view) candidates.push_back({view, at(view * 137.5), {}});
    const ViewChooser chooser(candidates);
    const auto choices = chooser.rankedChoices(40);
    EXPECT_THAT(choices, SizeIs(40));
    EXPECT_EQ(choices.front(), chooser.best());
    EXPECT_THAT(std::set(choices.begin(), choices.end()), SizeIs(40));
    std::set<int> seen;
    for (const auto& choice : choices) seen.insert(choice.begin(), choice.end());
    EXPECT_THAT(seen, SizeIs(24));
    EXPECT_THAT(ViewChooser(around({0, 50, 100, 150})).rankedChoices(40), SizeIs(4));
}

TEST(ViewChooser, considersASpreadSubset_ofVeryManyViews) {
    std::vector<ViewCandidate> candidates;
    for (int view = 0; view < 3000; ++view) candidates.push_back({view, at(view * 0.12), {}});
    const std::vector<int> chosen = ViewChooser(candidates).best();
    ASSERT_THAT(chosen, SizeIs(3));
    EXPECT_GT(chosen[1] - chosen[0], 400);
    EXPECT_GT(chosen[2] - chosen[1], 400);
}

}  // namespace
}  // namespace threefold
