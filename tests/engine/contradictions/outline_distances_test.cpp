#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "engine/contradictions/outline_distances.h"

using namespace threefold;

namespace {

std::vector<double> never(std::size_t /*without*/) {
    ADD_FAILURE() << "no view is suspected";
    return {};
}

TEST(ViewContradictingFit, isTheView_withoutWhichTheOthersAgree) {
    const auto distancesWithout = [](std::size_t without) {
        return without == 2 ? std::vector<double>{1, 1, 20, 1, 1, 1, 1, 1}
                            : std::vector<double>(8, 2.0);
    };
    const auto contradicting = findViewContradictingFit({2, 2, 9, 2, 2, 2, 2, 2}, distancesWithout);
    ASSERT_TRUE(contradicting);
    EXPECT_EQ(contradicting->index, 2U);
    EXPECT_EQ(contradicting->outlineDistance, 20);
}

TEST(ViewContradictingFit, isNone_whenTheOthersAgreeNoBetterWithoutIt) {
    EXPECT_FALSE(findViewContradictingFit({2, 2, 9, 2, 2, 2, 2, 2}, [](std::size_t) {
        return std::vector<double>{2, 2, 20, 2, 2, 2, 2, 1.9};
    }));
}

TEST(ViewContradictingFit, isNone_whenItsOwnDistanceFallsWithoutIt) {
    EXPECT_FALSE(findViewContradictingFit({2, 2, 9, 2, 2, 2, 2, 2}, [](std::size_t) {
        return std::vector<double>{1, 1, 8, 1, 1, 1, 1, 1};
    }));
}

TEST(ViewContradictingFit, isNotSought_whenThereAreThreeViewsOrAllAgreeEquallyWell) {
    EXPECT_FALSE(findViewContradictingFit({2, 2, 9}, never));
    EXPECT_FALSE(findViewContradictingFit({9, 9, 9, 9}, never));
    EXPECT_FALSE(findViewContradictingFit({0.1, 0.1, 0.7, 0.1}, never))
        << "0.7 pixels of 224 are less than half a pixel of 137";
}

TEST(ViewContradictingFit, isOneOfAtMostAQuarterOfTheViews) {
    EXPECT_EQ(maxContradictingViews(3), 0U);
    EXPECT_EQ(maxContradictingViews(4), 1U);
    EXPECT_EQ(maxContradictingViews(8), 2U);
}

}  // namespace
