#include "engine/network/pooling_timer.h"

#include <gtest/gtest.h>

namespace threefold::test {
namespace {

TEST(PoolingTimer, dividesWallTime_inProportionToThreadTimes) {
    PoolingTimer timer(2);
    EXPECT_EQ(timer.milliseconds(), 0);
    timer.add(0, 1, 4);
    timer.add(1, 2, 2);
    timer.add(0, 0, 6);
    const double pooled = timer.milliseconds();
    EXPECT_GT(pooled, 0);
    PoolingTimer all(1);
    all.add(0, 5, 5);
    const double first = all.milliseconds();
    EXPECT_GT(all.milliseconds(), first) << "all of the elapsed time counts as pooling";
}

}  // namespace
}  // namespace threefold::test
