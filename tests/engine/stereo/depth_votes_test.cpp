#include "engine/stereo/depth_votes.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace threefold::stereo {
namespace {

using testing::Each;
using testing::FloatNear;

constexpr int kSide = 16;
constexpr std::size_t kPixels = std::size_t{kSide} * kSide;
constexpr std::size_t kPixel = 5 * kSide + 5;
/// Of a score of 0.8, a full margin and three supporting views.
constexpr float kWeight = 0.7778F;

/// A map whose depths are all alike, and sure.
struct EvenMap {
    DepthVotes votes(const VoteRules& rules = {}) const {
        return votesOf(view, map, support, rules);
    }

    StereoView view{Camera{}, kSide};
    DepthMap map{std::vector<float>(kPixels, 1.0F), std::vector<float>(kPixels, 1.0F),
                 std::vector<float>(kPixels, 0.8F), std::vector<float>(kPixels, 0.3F), 0.01F};
    ViewSupport support{std::vector<std::uint8_t>(kPixels, 3),
                        std::vector<std::uint8_t>(kPixels, 0)};
};

TEST(DepthVotes, weighScoreMarginAndSupport) {
    const DepthVotes votes = EvenMap().votes();
    EXPECT_THAT(votes.weight, Each(FloatNear(kWeight, 1e-3F)));
    EXPECT_EQ(votes.sureFraction, 1);
    EXPECT_EQ(votes.strongFraction, 1);
}

TEST(DepthVotes, growWithSupport_upToSixViews) {
    EvenMap even;
    even.support.supportingCount.assign(kPixels, 6);
    EXPECT_THAT(even.votes().weight, Each(FloatNear(2 * kWeight, 1e-3F)));
    even.support.supportingCount.assign(kPixels, 9);
    EXPECT_THAT(even.votes().weight, Each(FloatNear(2 * kWeight, 1e-3F)));
}

TEST(DepthVotes, areHalved_whenTheMarginIsHalfwayToTheFullOne) {
    EvenMap even;
    even.map.margin.assign(kPixels, 0.105F);
    EXPECT_THAT(even.votes().weight, Each(FloatNear(kWeight / 2, 1e-3F)));
    EXPECT_EQ(even.votes().strongFraction, 0);
}

TEST(DepthVotes, areMissing_whereARuleIsBroken) {
    const std::vector<std::function<void(EvenMap&)>> breaks = {
        [](EvenMap& even) { even.map.depth[kPixel] = 0; },
        [](EvenMap& even) { even.map.score[kPixel] = 0.5F; },
        [](EvenMap& even) { even.map.margin[kPixel] = 0.04F; },
        [](EvenMap& even) { even.support.supportingCount[kPixel] = 0; },
        [](EvenMap& even) { even.support.violatingCount[kPixel] = 4; }};
    for (std::size_t rule = 0; rule < breaks.size(); ++rule) {
        SCOPED_TRACE(rule);
        EvenMap even;
        breaks[rule](even);
        const DepthVotes votes = even.votes();
        EXPECT_EQ(votes.weight[kPixel], 0);
        EXPECT_GT(votes.weight[kPixel + 1], 0);
        EXPECT_DOUBLE_EQ(votes.sureFraction, (kPixels - 1.0) / kPixels);
    }
}

TEST(DepthVotes, areMissing_inRegionsOfFewPixels) {
    EvenMap even;
    even.map.depth.assign(kPixels, 0);
    for (std::size_t i = 0; i < 4; ++i) even.map.depth[2 * kSide + i] = 1;
    for (std::size_t i = 0; i < 3; ++i) even.map.depth[9 * kSide + i] = 1;
    const DepthVotes votes = even.votes({.minPixels = 4});
    for (std::size_t i = 0; i < 4; ++i) EXPECT_GT(votes.weight[2 * kSide + i], 0);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(votes.weight[9 * kSide + i], 0);
}

TEST(DepthVotes, haveNoWeight_whereTooFewDepthsAreStrong) {
    EvenMap even;
    EXPECT_THAT(even.votes({.minStrongFraction = 0.5F}).weight, Each(FloatNear(kWeight, 1e-3F)));
    even.map.margin.assign(kPixels, 0.2F);
    EXPECT_THAT(even.votes({.minStrongFraction = 0.5F}).weight, Each(0.0F));
}

}  // namespace
}  // namespace threefold::stereo
