#include "engine/profile/rolling_window.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "engine/order_statistics.h"

namespace threefold {
namespace {

TEST(RollingWindow, forgetsTheOldest) {
    RollingWindow rolling(4);
    EXPECT_FALSE(rolling.last());
    EXPECT_FALSE(rolling.median());
    for (const double value : {100.0, 1.0, 2.0, 3.0, 4.0}) rolling.add(value);
    EXPECT_EQ(rolling.size(), 4U);
    EXPECT_EQ(rolling.last(), 4.0);
    EXPECT_EQ(rolling.median(), 2.5);  // of 1, 2, 3 and 4
    EXPECT_EQ(rolling.p95(), 4.0);
}

TEST(RollingWindow, agreesWithOrderStatistics_whileValuesComeAndGo) {
    std::mt19937 random(5);
    std::exponential_distribution<double> value;
    RollingWindow rolling;
    std::vector<double> all;
    for (int i = 0; i < 200; ++i) {
        all.push_back(value(random));
        rolling.add(all.back());
        const std::size_t from = all.size() > RollingWindow::kDefaultCapacity
                                     ? all.size() - RollingWindow::kDefaultCapacity
                                     : 0;
        const std::vector<double> kept(all.begin() + static_cast<std::ptrdiff_t>(from), all.end());
        EXPECT_EQ(rolling.median(), medianOf(kept));
        EXPECT_EQ(rolling.p95(), quantile(kept, 0.95));
    }
}

}  // namespace
}  // namespace threefold
