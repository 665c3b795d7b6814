#include "engine/profile/rolling_window.h"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "engine/order_statistics.h"

namespace threefold {
namespace {

// The definition, word by word.
double bruteForce(const std::vector<double>& values, double fraction) {
    std::vector<double> candidates = values;
    std::sort(candidates.begin(), candidates.end());
    for (const double candidate : candidates) {
        const auto notAbove =
            std::count_if(values.begin(), values.end(), [&](double v) { return v <= candidate; });
        if (static_cast<double>(notAbove) >= fraction * static_cast<double>(values.size()) - 1e-9) {
            return candidate;
        }
    }
    return candidates.back();
}

TEST(NearestRank, agreesWithItsDefinition) {
    std::mt19937 random(4);
    std::uniform_int_distribution<int> value(0, 30);  // with repetitions
    for (std::size_t count = 1; count <= 70; ++count) {
        std::vector<double> values(count);
        for (double& v : values) v = value(random);
        for (const double fraction : {0.0, 0.05, 0.25, 0.5, 0.9, 0.95, 0.99, 1.0}) {
            EXPECT_EQ(quantile(values, fraction), bruteForce(values, fraction))
                << count << ' ' << fraction;
        }
    }
}

TEST(NearestRank, isExact_whenTheFractionIsAWholeNumberOfValues) {
    std::vector<double> values;
    for (int i = 20; i >= 1; --i) values.push_back(i);
    EXPECT_EQ(quantile(values, 0.95), 19.0);
    EXPECT_EQ(quantile(values, 0.5), 10.0);
    EXPECT_FALSE(quantile(std::span<const double>(), 0.5));
}

TEST(UpperMedian, isAValueOfTheList) {
    EXPECT_EQ(upperMedian(std::vector{7.0}), 7.0);
    EXPECT_EQ(upperMedian(std::vector{40, 10}), 40);
    EXPECT_EQ(upperMedian(std::vector{3, 1, 2}), 2);
    EXPECT_EQ(upperMedian(std::vector{8, 1, 4, 2}), 4);
}

TEST(Median, isTheMeanOfTheTwoCentralValues) {
    EXPECT_FALSE(medianOf({}));
    EXPECT_EQ(medianOf(std::vector{7.0}), 7.0);
    EXPECT_EQ(medianOf(std::vector{40.0, 10.0}), 25.0);
    EXPECT_EQ(medianOf(std::vector{3.0, 1.0, 2.0}), 2.0);
    EXPECT_EQ(medianOf(std::vector{8.0, 1.0, 4.0, 2.0}), 3.0);
}

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

TEST(RollingWindow, agreesWithTheBruteForce_whileValuesComeAndGo) {
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
        EXPECT_EQ(rolling.p95(), bruteForce(kept, 0.95));
    }
}

}  // namespace
}  // namespace threefold
