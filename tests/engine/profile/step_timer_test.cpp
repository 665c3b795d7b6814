#include "engine/profile/step_timer.h"

#include <stdexcept>

#include <gtest/gtest.h>

namespace threefold {
namespace {

TEST(StepTimer, sumsTheTimesOfEachStep_inTheOrderOfTheirFirstEnds) {
    StepTimer timer;
    timer.add("sweep", 3);
    timer.add("fusion", 5);
    timer.add("sweep", 4);
    ASSERT_EQ(timer.times().size(), 2U);
    EXPECT_EQ(timer.times()[0].step, "sweep");
    EXPECT_EQ(timer.times()[0].milliseconds, 7);
    EXPECT_EQ(timer.times()[1].step, "fusion");
    EXPECT_EQ(timer.times()[1].milliseconds, 5);
}

TEST(StepTimer, returnsTheResultOfTheWork) {
    StepTimer timer;
    EXPECT_EQ(timer.timed("sum", [] { return 42; }), 42);
    ASSERT_EQ(timer.times().size(), 1U);
    EXPECT_EQ(timer.times()[0].step, "sum");
    EXPECT_GE(timer.times()[0].milliseconds, 0);
}

TEST(StepTimer, countsNoTime_whenTheWorkThrows) {
    StepTimer timer;
    EXPECT_THROW(timer.timed("sum", []() -> int { throw std::runtime_error("refused"); }),
                 std::runtime_error);
    EXPECT_TRUE(timer.times().empty());
}

}  // namespace
}  // namespace threefold
