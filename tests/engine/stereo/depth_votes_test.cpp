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

constexpr int kMapSide = 16;
constexpr std::size_t kMapPixels = std::size_t{kMapSide} * kMapSide;
constexpr std::size_t kBrokenPixel = 5 * kMapSide + 5;
/// Weight for a score of 0.8, a full margin and three supporting views.
constexpr float kEvenWeight = 0.7778F;

/// A map of equal, reliable depths.
struct EvenMap {
    DepthVotes votes(const VoteRules& rules = {}) const {
        return votesOf(view, map, support, rules);
    }

    StereoView view{Camera{}, kMapSide};
    DepthMap map{std::vector<float>(kMapPixels, 1.0F), std::vector<float>(kMapPixels, 1.0F),
                 std::vector<float>(kMapPixels, 0.8F), std::vector<float>(kMapPixels, 0.3F), 0.01F};
    ViewSupport support{std::vector<std::uint16_t>(kMapPixels, 3),
                        std::vector<std::uint16_t>(kMapPixels, 0)};
};

TEST(DepthVotes, weighScoreMarginAndSupport) {
    const DepthVotes votes = EvenMap().votes();
    EXPECT_THAT(votes.weight, Each(FloatNear(kEvenWeight, 1e-3F)));
    EXPECT_EQ(votes.sureFraction, 1);
    EXPECT_EQ(votes.strongFraction, 1);
}

TEST(DepthVotes, growWithSupport_upToSixViews) {
    EvenMap even;
    even.support.supportingCount.assign(kMapPixels, 6);
    EXPECT_THAT(even.votes().weight, Each(FloatNear(2 * kEvenWeight, 1e-3F)));
    even.support.supportingCount.assign(kMapPixels, 9);
    EXPECT_THAT(even.votes().weight, Each(FloatNear(2 * kEvenWeight, 1e-3F)));
}

TEST(DepthVotes, areHalved_whenTheMarginIsHalfwayToTheFullOne) {
    EvenMap even;
    even.map.margin.assign(kMapPixels, 0.105F);
    EXPECT_THAT(even.votes().weight, Each(FloatNear(kEvenWeight / 2, 1e-3F)));
    EXPECT_EQ(even.votes().strongFraction, 0);
}

TEST(DepthVotes, areMissing_whereARuleIsBroken) {
    const std::vector<std::function<void(EvenMap&)>> breaks = {
        [](EvenMap& even) { even.map.depth[kBrokenPixel] = 0; },
        [](EvenMap& even) { even.map.score[kBrokenPixel] = 0.5F; },
        [](EvenMap& even) { even.map.margin[kBrokenPixel] = 0.04F; },
        [](EvenMap& even) { even.support.supportingCount[kBrokenPixel] = 0; },
        [](EvenMap& even) { even.support.freeSpaceViolationCount[kBrokenPixel] = 4; }};
    for (std::size_t rule = 0; rule < breaks.size(); ++rule) {
        SCOPED_TRACE(rule);
        EvenMap even;
        breaks[rule](even);
        const DepthVotes votes = even.votes();
        EXPECT_EQ(votes.weight[kBrokenPixel], 0);
        EXPECT_GT(votes.weight[kBrokenPixel + 1], 0);
        EXPECT_DOUBLE_EQ(votes.sureFraction, (kMapPixels - 1.0) / kMapPixels);
    }
}

TEST(DepthVotes, areMissing_inRegionsOfFewPixels) {
    EvenMap even;
    even.map.depth.assign(kMapPixels, 0);
    for (std::size_t i = 0; i < 4; ++i) even.map.depth[2 * kMapSide + i] = 1;
    for (std::size_t i = 0; i < 3; ++i) even.map.depth[9 * kMapSide + i] = 1;
    const DepthVotes votes = even.votes({.minRegionPixels = 4});
    for (std::size_t i = 0; i < 4; ++i) EXPECT_GT(votes.weight[2 * kMapSide + i], 0);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(votes.weight[9 * kMapSide + i], 0);
}

TEST(DepthVotes, haveNoWeight_whereTooFewDepthsAreStrong) {
    EvenMap even;
    EXPECT_THAT(even.votes({.minStrongFraction = 0.5F}).weight,
                Each(FloatNear(kEvenWeight, 1e-3F)));
    even.map.margin.assign(kMapPixels, 0.2F);
    EXPECT_THAT(even.votes({.minStrongFraction = 0.5F}).weight, Each(0.0F));
}

}  // namespace
}  // namespace threefold::stereo
