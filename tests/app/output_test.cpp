#include "app/console/output.h"

#include <limits>

#include <gtest/gtest.h>

namespace threefold::test {
namespace {

TEST(RemainingTime, hasHours_whenAnHourOrMoreIsLeft) {
    EXPECT_EQ(remainingTimeText(0), "  0:00 left");
    EXPECT_EQ(remainingTimeText(123.9), "  2:03 left");
    EXPECT_EQ(remainingTimeText(3723), "  1:02:03 left");
}

TEST(RemainingTime, isEmpty_whenItIsUnknown) {
    using Limits = std::numeric_limits<double>;
    for (const double seconds : {Limits::infinity(), Limits::quiet_NaN(), Limits::max(), -1.0})
        EXPECT_EQ(remainingTimeText(seconds), "") << seconds;
}

}  // namespace
}  // namespace threefold::test
