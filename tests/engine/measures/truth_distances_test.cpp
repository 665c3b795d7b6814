#include "engine/measures/truth_distances.h"

#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace threefold {
namespace {

using testing::ElementsAre;

TEST(TruthDistances, areFromTheSurface_whenTheTruthHasFaces) {
    GroundTruth truth;
    truth.points = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    const Points between = {{1, 1, 0}, {1, 1, -3}, {0, 0, 2}};
    EXPECT_THAT(
        TruthDistances(truth).distancesOf(between),
        ElementsAre(testing::FloatEq(std::sqrt(2.0F)), testing::FloatEq(std::sqrt(11.0F)), 2));
    truth.surface = {truth.points, {{0, 1, 2}}};
    EXPECT_THAT(TruthDistances(truth).distancesOf(between), ElementsAre(0, 3, 2));
    EXPECT_THAT(TruthDistances(truth).distancesOf(truth.surface.vertices), ElementsAre(0, 0, 0));
    EXPECT_TRUE(TruthDistances(truth).areFromSurface());
}

TEST(TruthDistances, areNegativeBehindTheSurface_whenAsked) {
    GroundTruth truth;
    truth.surface = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 1, 2}}};
    truth.points = truth.surface.vertices;
    const Points aroundIt = {{1, 1, 2}, {1, 1, -3}};
    EXPECT_THAT(TruthDistances(truth).signedDistancesOf(aroundIt), ElementsAre(2, -3));
    truth.surface = {};
    EXPECT_FALSE(TruthDistances(truth).areFromSurface());
}

TEST(DistanceSummary, givesMeanAndPercentiles_inAnyOrder) {
    std::vector<float> distances;
    for (int i = 100; i > 0; --i) distances.push_back(static_cast<float>(i * i));
    const DistanceSummary summary = distanceSummaryOf(distances);
    EXPECT_DOUBLE_EQ(summary.mean, 3383.5);
    EXPECT_EQ(summary.lowerMedian, 50 * 50);
    EXPECT_EQ(summary.p95, 95 * 95);
    EXPECT_EQ(summary.max, 100 * 100);
    const DistanceSummary one = distanceSummaryOf(std::vector{0.5F});
    EXPECT_EQ(one.mean, 0.5);
    EXPECT_EQ(one.lowerMedian, 0.5);
    EXPECT_EQ(one.max, 0.5);
}

}  // namespace
}  // namespace threefold
