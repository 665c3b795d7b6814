#include "engine/metrics/truth_distances.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace threefold {
namespace {

using testing::ElementsAre;

TEST(TruthDistances, areFromTheSurface_whereTheTruthHasFaces) {
    GroundTruth truth;
    truth.points = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    const Points between = {{1, 1, 0}, {1, 1, -3}, {0, 0, 2}};
    EXPECT_THAT(
        TruthDistances(truth).of(between),
        ElementsAre(testing::FloatEq(std::sqrt(2.0F)), testing::FloatEq(std::sqrt(11.0F)), 2));
    truth.surface = {truth.points, {{0, 1, 2}}};
    EXPECT_THAT(TruthDistances(truth).of(between), ElementsAre(0, 3, 2));
    EXPECT_THAT(TruthDistances(truth).of(truth.surface.vertices), ElementsAre(0, 0, 0));
}

}  // namespace
}  // namespace threefold
