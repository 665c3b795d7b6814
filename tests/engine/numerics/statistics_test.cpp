#include "engine/numerics/statistics.h"

#include <omp.h>

#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace threefold {
namespace {

std::optional<Statistics> statisticsOfOne(const std::vector<double>& column) {
    return statisticsOf(std::span(&column, 1)).front();
}

TEST(Statistics, agreeWithNumpy) {
    // Values by numpy: mean(), median(), std(ddof=1); p95 is the largest of 10 values.
    const std::vector<double> values{4.1, 0.3, 2.2, 9.7, 3.3, 5.8, 1.1, 7.4, 2.9, 6.0};
    const Statistics s = statisticsOfOne(values).value();
    EXPECT_EQ(s.count, 10u);
    EXPECT_DOUBLE_EQ(s.mean, 4.28);
    EXPECT_DOUBLE_EQ(s.median, 3.7);
    EXPECT_DOUBLE_EQ(s.standardDeviation, 2.935529480917085);
    EXPECT_EQ(s.min, 0.3);
    EXPECT_EQ(s.max, 9.7);
    EXPECT_EQ(s.p95, 9.7);
    // Percentiles of the means of 2 000 000 resamples by numpy; Threefold draws 10 000.
    EXPECT_NEAR(s.intervalLow, 2.62, 0.08);
    EXPECT_NEAR(s.intervalHigh, 6.06, 0.08);
}

TEST(Statistics, agreeWithNumpy_whenThereAreManyValues) {
    std::vector<double> values;
    for (int i = 0; i < 200; ++i) values.push_back((i * i) % 97);
    const Statistics s = statisticsOfOne(values).value();
    EXPECT_DOUBLE_EQ(s.mean, 46.835);
    EXPECT_DOUBLE_EQ(s.median, 47.5);
    EXPECT_DOUBLE_EQ(s.standardDeviation, 30.714404572467398);
    // Percentiles of the means of 200 000 resamples by numpy.
    EXPECT_NEAR(s.intervalLow, 42.59, 0.2);
    EXPECT_NEAR(s.intervalHigh, 51.085, 0.2);
}

TEST(Statistics, areEmpty_whenThereAreNoValues) {
    EXPECT_FALSE(statisticsOfOne(std::vector<double>{}).has_value());
}

TEST(Statistics, haveIntervalsOfNoWidth_whenAllValuesAreEqual) {
    for (const std::vector<double>& values :
         {std::vector<double>{0.1}, std::vector<double>(7, 0.1), std::vector<double>(1000, 0.1)}) {
        const Statistics s = statisticsOfOne(values).value();
        EXPECT_EQ(s.standardDeviation, 0);
        EXPECT_EQ(s.median, 0.1);
        EXPECT_EQ(s.intervalLow, s.mean);
        EXPECT_EQ(s.intervalHigh, s.mean);
    }
}

TEST(Statistics, haveAnIntervalFromOneValueToTheOther_whenThereAreTwo) {
    // Means of resamples are 0, ½ and 1 with probabilities ¼, ½ and ¼, so the interval includes
    // both ends.
    const Statistics s = statisticsOfOne(std::vector<double>{0, 1}).value();
    EXPECT_EQ(s.intervalLow, 0);
    EXPECT_EQ(s.intervalHigh, 1);
}

TEST(Statistics, keepSmallValues_whenLargeOnesCancel) {
    const Statistics s = statisticsOfOne(std::vector<double>{1e100, 3, -1e100}).value();
    EXPECT_EQ(s.mean, 1);
}

TEST(Statistics, areTheSame_onAnyNumberOfThreads) {
    std::vector<double> values;
    for (int i = 0; i < 301; ++i) values.push_back(1.0 / (1 + (i * 37) % 101));
    const int before = omp_get_max_threads();
    std::vector<std::array<double, 2>> intervals;
    for (const int threads : {1, 2, 5}) {
        omp_set_num_threads(threads);
        const Statistics s = statisticsOfOne(values).value();
        intervals.push_back({s.intervalLow, s.intervalHigh});
    }
    omp_set_num_threads(before);
    EXPECT_EQ(intervals[0], intervals[1]);
    EXPECT_EQ(intervals[0], intervals[2]);
}

TEST(Statistics, equalThoseOfEachColumn_whenComputedTogether) {
    std::vector<std::vector<double>> columns;
    for (std::size_t c = 0; c < 40; ++c) {
        columns.emplace_back();
        for (std::size_t i = 0; i < (c % 3) * 11; ++i) {
            columns.back().push_back(static_cast<double>((i * 7 + c) % 13));
        }
    }
    const auto all = statisticsOf(columns);
    ASSERT_EQ(all.size(), columns.size());
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const auto alone = statisticsOfOne(columns[c]);
        ASSERT_EQ(all[c].has_value(), alone.has_value());
        if (!alone) continue;
        EXPECT_EQ(all[c]->mean, alone->mean);
        EXPECT_EQ(all[c]->intervalLow, alone->intervalLow);
        EXPECT_EQ(all[c]->intervalHigh, alone->intervalHigh);
    }
}

TEST(Statistics, pairResamples_ofColumnsOfEqualLength) {
    // The second column is the first plus a constant, so in paired resamples the difference has no
    // variance.
    std::vector<std::vector<double>> columns(3);
    for (int i = 0; i < 50; ++i) {
        columns[0].push_back(i % 7);
        columns[1].push_back(i % 7 + 2);
        columns[2].push_back(2);
    }
    const auto s = statisticsOf(columns);
    EXPECT_NEAR(s[1]->intervalLow - s[0]->intervalLow, 2, 1e-12);
    EXPECT_NEAR(s[1]->intervalHigh - s[0]->intervalHigh, 2, 1e-12);
    EXPECT_EQ(s[2]->intervalHigh - s[2]->intervalLow, 0);
}

}  // namespace
}  // namespace threefold
