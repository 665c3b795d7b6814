#include "engine/system/process_age.h"

#include <gtest/gtest.h>

namespace threefold {
namespace {

TEST(ProcessAge, doesNotDecrease) {
    const auto first = processAgeMilliseconds();
    const auto second = processAgeMilliseconds();
    ASSERT_TRUE(first && second);
    EXPECT_GE(*second, *first);
}

TEST(ProcessAge, isPlausible) {
    constexpr double kClockTick = 10;
    constexpr double kDay = 24 * 60 * 60 * 1e3;
    const auto age = processAgeMilliseconds();
    ASSERT_TRUE(age);
    EXPECT_GE(*age, -kClockTick);
    EXPECT_LT(*age, kDay);
}

}  // namespace
}  // namespace threefold
