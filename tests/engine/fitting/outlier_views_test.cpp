#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "engine/fitting/outlier_views.h"

using namespace threefold;
using namespace threefold::fitting;

namespace {

std::vector<double> never(std::size_t /*without*/) {
    ADD_FAILURE() << "no view is suspected";
    return {};
}

TEST(OutlierView, isTheOneWithoutWhichTheOthersAgree) {
    const auto distancesWithout = [](std::size_t without) {
        return without == 2 ? std::vector<double>{1, 1, 20, 1, 1, 1, 1, 1}
                            : std::vector<double>(8, 2.0);
    };
    const auto outlier = findOutlierView({2, 2, 9, 2, 2, 2, 2, 2}, distancesWithout);
    ASSERT_TRUE(outlier);
    EXPECT_EQ(outlier->index, 2U);
    EXPECT_EQ(outlier->outlineDistance, 20);
}

TEST(OutlierView, isNone_whenTheOthersAgreeNoBetterWithoutIt) {
    EXPECT_FALSE(findOutlierView({2, 2, 9, 2, 2, 2, 2, 2}, [](std::size_t) {
        return std::vector<double>{2, 2, 20, 2, 2, 2, 2, 1.9};
    }));
}

TEST(OutlierView, isNone_whenItAgreesBetterItself) {
    EXPECT_FALSE(findOutlierView({2, 2, 9, 2, 2, 2, 2, 2}, [](std::size_t) {
        return std::vector<double>{1, 1, 8, 1, 1, 1, 1, 1};
    }));
}

TEST(OutlierView, isNotSought_whenThereAreThreeViewsOrAllAgreeAlike) {
    EXPECT_FALSE(findOutlierView({2, 2, 9}, never));
    EXPECT_FALSE(findOutlierView({9, 9, 9, 9}, never));
    EXPECT_FALSE(findOutlierView({0.1, 0.1, 0.7, 0.1}, never)) << "half a pixel of 137";
}

TEST(OutlierViews, areAtMostAQuarter) {
    EXPECT_EQ(maxOutlierViews(3), 0U);
    EXPECT_EQ(maxOutlierViews(4), 1U);
    EXPECT_EQ(maxOutlierViews(8), 2U);
}

}  // namespace
