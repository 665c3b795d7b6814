#include "engine/order_statistics.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace threefold::test {
namespace {

// Quantile by its definition.
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

TEST(Quantile, agreesWithItsDefinition) {
    std::mt19937 random(4);
    std::uniform_int_distribution<int> value(0, 30);  // so few values that some repeat
    for (std::size_t count = 1; count <= 70; ++count) {
        std::vector<double> values(count);
        for (double& v : values) v = value(random);
        for (const double fraction : {0.0, 0.05, 0.25, 0.5, 0.9, 0.95, 0.99, 1.0}) {
            EXPECT_EQ(quantile(values, fraction), bruteForce(values, fraction))
                << count << ' ' << fraction;
        }
    }
}

TEST(Quantile, isExact_whenTheFractionIsAWholeNumberOfValues) {
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

TEST(NearestRank, usesTheExactDecimalFraction_whenItsBinaryValueIsLarger) {
    EXPECT_EQ(nearestRank(0.55, 100), 55U);
    EXPECT_EQ(nearestRank(1 - 0.99, 100), 1U);
    EXPECT_EQ(nearestRank(0, 100), 1U);
    EXPECT_EQ(nearestRank(1, 100), 100U);
}

TEST(QuantileOfSorted, agreesWithQuantile_forOneList) {
    for (std::size_t count = 1; count <= 200; ++count) {
        std::vector<float> values(count);
        std::iota(values.begin(), values.end(), 0.0F);
        const std::vector<float>* const lists[] = {&values};
        for (int hundredths = 1; hundredths < 100; ++hundredths)
            for (const double fraction : {hundredths / 100.0, 1 - hundredths / 100.0})
                ASSERT_EQ(quantileOfSorted(lists, fraction),
                          quantile(std::span<const float>(values), fraction))
                    << count << ' ' << fraction;
    }
}

}  // namespace
}  // namespace threefold::test
