#include "engine/stereo/matching_rounds.h"

#include <gtest/gtest.h>

namespace threefold::stereo {
namespace {

TEST(MatchingRounds, searchManyDepthsMostlyBehindTheSurface_thenFewerAroundIt) {
    const SweepOptions coarse = coarseRound().match.sweep;
    const SweepOptions fine = fineRound().match.sweep;
    EXPECT_GT(coarse.labelCount, fine.labelCount);
    EXPECT_LT(-coarse.firstLabel, coarse.labelCount / 2);
    EXPECT_EQ(-fine.firstLabel, fine.labelCount / 2);
    EXPECT_LT(coarseRound().progress, fineRound().progress);
}

TEST(StricterRules, areUnchanged_whenTheLightIsFixed) {
    const VoteRules rules = stricterRules({}, 0.1);
    EXPECT_EQ(rules.minMargin, VoteRules().minMargin);
    EXPECT_EQ(rules.fullMargin, VoteRules().fullMargin);
    EXPECT_LT(rules.minStrongFraction, 0);
}

TEST(StricterRules, areStrictest_whenTheLightTurns) {
    for (const double dependence : {0.2, 0.9}) {
        const VoteRules rules = stricterRules({.minRegionPixels = 19}, dependence);
        EXPECT_FLOAT_EQ(rules.minMargin, 0.10F);
        EXPECT_FLOAT_EQ(rules.fullMargin, 0.35F);
        EXPECT_FLOAT_EQ(rules.minStrongFraction, 0.3F);
        EXPECT_EQ(rules.minRegionPixels, 19U);
    }
}

TEST(StricterRules, areHalfwayStrict_betweenFixedAndTurningLight) {
    const VoteRules rules = stricterRules({.minMargin = 0.06F, .fullMargin = 0.25F}, 0.15);
    EXPECT_NEAR(rules.minMargin, 0.08, 1e-6);
    EXPECT_NEAR(rules.fullMargin, 0.30, 1e-6);
    EXPECT_NEAR(rules.minStrongFraction, 0.15, 1e-6);
}

}  // namespace
}  // namespace threefold::stereo
