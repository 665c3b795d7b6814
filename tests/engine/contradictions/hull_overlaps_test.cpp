#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "engine/contradictions/hull_overlaps.h"

using namespace threefold;

namespace {

TEST(ViewContradictingHull, isTheViewThatDoesNotFit_whereMostOthersDo) {
    EXPECT_EQ(findViewContradictingHull({0.95, 0.95, 0.3, 0.95}), 2U);
    EXPECT_FALSE(findViewContradictingHull({0.95, 0.95, 0.6, 0.95}))
        << "an overlap of 0.6 suffices";
    EXPECT_FALSE(findViewContradictingHull({0.8, 0.8, 0.3, 0.8})) << "the others do not fit";
}

TEST(ViewContradictingHull, isFoundByTrial_whenOneViewSpoilsTheHull) {
    const auto overlapWithout = [](std::size_t without) {
        return without == 1 ? std::vector<double>{0.95, 0.2, 0.95, 0.95}
                            : std::vector<double>{0.4, 0.4, 0.4, 0.4};
    };
    EXPECT_EQ(findViewContradictingHullByTrial({0.4, 0.4, 0.4, 0.4}, overlapWithout), 1U);
}

TEST(ViewContradictingHull, isNotSoughtByTrial_whenAllViewsFitOrThereAreThree) {
    const auto never = [](std::size_t /*without*/) {
        ADD_FAILURE() << "a trial";
        return std::vector<double>{1, 1, 1};
    };
    EXPECT_FALSE(findViewContradictingHullByTrial({0.6, 0.7, 0.6, 0.8}, never));
    EXPECT_FALSE(findViewContradictingHullByTrial({0.4, 0.4, 0.4}, never));
}

}  // namespace
