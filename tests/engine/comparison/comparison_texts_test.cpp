#include "engine/comparison/comparison_texts.h"

#include <gtest/gtest.h>

#include "engine/comparison/comparison_tables.h"

namespace threefold::test {
namespace {

/// Adds a measure of `count` samples, whose mean difference has the interval from `low` to `high`.
void addMeasure(Comparison& comparison, const MeasureDescription& measure, std::size_t count,
                double low, double high) {
    ComparedMeasure& added = comparison.all.measures.emplace_back();
    added.measure = &measure;
    Statistics& difference = added.statistics.difference;
    difference.count = count;
    difference.mean = (low + high) / 2;
    difference.intervalLow = low;
    difference.intervalHigh = high;
}

/// Comparison by three measures of ten samples; all measures have the given interval.
Comparison comparisonWith(double low, double high) {
    Comparison comparison;
    addMeasure(comparison, truthMeasure("f_tau"), 10, low, high);
    addMeasure(comparison, truthMeasure("chamfer"), 10, low, high);
    addMeasure(comparison, silhouetteMeasures().front(), 10, low, high);
    return comparison;
}

TEST(VerdictText, saysThatNothingIsInCommon_withoutMeasures) {
    EXPECT_EQ(verdictText({}), "The runs have no measure in common.");
}

TEST(VerdictText, givesTheIntervalsAsReason_whenAllIncludeZero) {
    EXPECT_EQ(verdictText(comparisonWith(-1, 1)),
              "B is not shown to differ by F(τ), Chamfer distance and silhouette overlap: the "
              "intervals include zero.");
}

TEST(VerdictText, separatesBetterFromWorse_byTheDirectionOfEachMeasure) {
    EXPECT_EQ(verdictText(comparisonWith(1, 2)),
              "B is better by F(τ) and silhouette overlap; worse by Chamfer distance.");
    EXPECT_EQ(verdictText(comparisonWith(-2, -1)),
              "B is better by Chamfer distance; worse by F(τ) and silhouette overlap.");
}

TEST(VerdictText, givesNoReason_whenOnlySomeMeasuresHaveTooFewSamples) {
    Comparison comparison;
    addMeasure(comparison, truthMeasure("f_tau"), PairedStatistics::kMinConclusionCount, -1, 1);
    addMeasure(comparison, truthMeasure("chamfer"), PairedStatistics::kMinConclusionCount - 1, 1,
               2);
    EXPECT_EQ(verdictText(comparison), "B is not shown to differ by F(τ) and Chamfer distance.");
}

TEST(TimeVerdictText, isEmpty_withoutTimesOfTheNetwork) {
    Comparison comparison;
    EXPECT_EQ(timeVerdictText(comparison), "");
    comparison.speedUps.emplace_back().key = "cnn1";
    EXPECT_EQ(timeVerdictText(comparison), "");
}

TEST(TimeVerdictText, givesAnInterval_whenThereAreEnoughSamples) {
    Comparison comparison;
    SpeedUp& network = comparison.speedUps.emplace_back();
    network.key = "network";
    network.ratio = 1.25;
    network.intervalLow = 1.2;
    network.intervalHigh = 1.3;
    network.first.count = Statistics::kMinIntervalCount - 1;
    EXPECT_EQ(timeVerdictText(comparison), "The network of B is 1.250 times as fast as that of A.");
    network.first.count = Statistics::kMinIntervalCount;
    EXPECT_EQ(timeVerdictText(comparison),
              "The network of B is 1.250 (95 %: 1.200 … 1.300) times as fast as that of A.");
    comparison.isOnlyOneFitted = true;
    comparison.firstTimes.fit.emplace();
    EXPECT_EQ(timeVerdictText(comparison),
              "In A fits ran at the same time as the network and slowed it: its times are not "
              "comparable.");
}

TEST(IntervalText, hasSigns_andIsADashWithoutAnInterval) {
    Statistics difference;
    difference.intervalLow = -2;
    difference.intervalHigh = 1;
    difference.count = Statistics::kMinIntervalCount - 1;
    EXPECT_EQ(intervalText(Unit::percent, difference), "–");
    difference.count = Statistics::kMinIntervalCount;
    EXPECT_EQ(intervalText(Unit::percent, difference), "−2.00 … +1.00");
}

}  // namespace
}  // namespace threefold::test
