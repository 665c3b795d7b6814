#include "ui/document/step_history.h"

#include <iterator>
#include <numeric>

#include <gtest/gtest.h>

namespace threefold::ui {
namespace {

StepTimings run(double load, double block) {
    return {{RunStep::load, load}, {RunStep::block1, block}};
}

TEST(StepHistory, isEmpty_beforeTheFirstRun) {
    const StepHistory history;
    EXPECT_FALSE(history.last(RunStep::load));
    EXPECT_FALSE(history.times(RunStep::load).median());
    EXPECT_FALSE(history.totals().last());
    EXPECT_FALSE(history.totals().median());
}

TEST(StepHistory, givesLastAndMedian) {
    StepHistory history;
    for (const double block : {5.0, 1.0, 3.0}) history.add(run(100, block));
    EXPECT_EQ(history.last(RunStep::block1), 3.0);
    EXPECT_EQ(history.times(RunStep::block1).median(), 3.0);
    history.add(run(100, 10.0));
    EXPECT_EQ(history.times(RunStep::block1).median(), 4.0);  // mean of the two middle values
    EXPECT_EQ(history.totals().median(), 4.0);
    EXPECT_EQ(history.times(RunStep::block1).p95(), 10.0);
    EXPECT_EQ(history.totals().size(), 4U);
    EXPECT_EQ(history.totals().p95(), 10.0);
}

TEST(StepHistory, leavesLoadingOutOfTheTotal) {
    StepHistory history;
    history.add(run(100, 5));
    EXPECT_EQ(history.totals().last(), 5.0);
    EXPECT_EQ(history.totals().median(), 5.0);
}

TEST(StepHistory, countsWallTime_whenStepsOverlap) {
    StepHistory history;
    history.add(run(100, 5), 3);
    EXPECT_EQ(history.totals().last(), 3.0);
    EXPECT_EQ(history.totals().median(), 3.0);
    EXPECT_EQ(history.last(RunStep::block1), 5.0);
}

TEST(StepHistory, isEmpty_whenTheLastRunLacksTheStep) {
    StepHistory history;
    history.add(run(1, 5));
    EXPECT_FALSE(history.last(RunStep::cnn1));
}

TEST(StepHistory, forgetsTheOldest_beyondItsLimit) {
    StepHistory history;
    for (std::size_t i = 0; i < StepHistory::kMaxRuns; ++i) history.add(run(0, 1000));
    for (std::size_t i = 0; i < StepHistory::kMaxRuns; ++i) history.add(run(0, 1));
    EXPECT_EQ(history.runs(), StepHistory::kMaxRuns);
    EXPECT_EQ(history.times(RunStep::block1).median(), 1.0);
}

TEST(StepHistory, comparesOnlyRunsOfOneKind) {
    const RunConditions three{3, "processor · float32"};
    const RunConditions eight{8, "processor · float32"};
    const RunConditions other{3, "GPU · tfloat32"};
    StepHistory history;
    for (const double block : {2.0, 4.0, 6.0}) history.add(run(1, block), 0, three);
    history.add(run(1, 50), 0, eight);
    EXPECT_EQ(history.runs(), 1U);
    EXPECT_EQ(history.times(RunStep::block1).median(), 50.0);
    history.add(run(1, 1), 0, other);
    EXPECT_EQ(history.totals().p95(), 1.0);
    history.add(run(1, 8), 0, three);
    EXPECT_EQ(history.runs(), 4U);
    EXPECT_EQ(history.times(RunStep::block1).p95(), 8.0);
    // Selects earlier runs, as when an older result is shown again.
    history.select(eight);
    EXPECT_EQ(history.runs(), 1U);
    EXPECT_EQ(history.totals().last(), 50.0);
    history.select({4, "processor · float32"});
    EXPECT_EQ(history.runs(), 0U);
    EXPECT_FALSE(history.totals().last());
    EXPECT_FALSE(history.last(RunStep::block1));
}

TEST(StepHistory, expectsFractionsOfEarlierRuns) {
    StepHistory history;
    const std::vector<double> expected = history.stepFractions();
    ASSERT_EQ(expected.size(), runStepsOf(kPublishedHypothesisBlocks).size());
    EXPECT_NEAR(std::accumulate(expected.begin(), expected.end(), 0.0), 1, 1e-12);
    history.add({{RunStep::load, 10}, {RunStep::block2, 30}});
    const std::vector<double> known = history.stepFractions();
    EXPECT_EQ(known.front(), 0.25);
    EXPECT_EQ(known.back(), 0.75);
    EXPECT_EQ(known[4], 0);
}

TEST(StepHistory, dividesProjectionTime_amongTheStepsThatProject) {
    StepHistory history;
    history.add({{RunStep::cnn1, 10},
                 {RunStep::project1, 9},
                 {RunStep::graph1, 1},
                 {RunStep::graph3, 2},
                 {RunStep::project2, 8},
                 {RunStep::block1, 10},
                 {RunStep::block2, 10}});
    const std::vector<double> stepFractions = history.stepFractions();
    const auto of = [&](RunStep step) { return stepFractions[static_cast<std::size_t>(step)]; };
    EXPECT_EQ(of(RunStep::project1), 0);
    EXPECT_EQ(of(RunStep::project2), 0);
    EXPECT_DOUBLE_EQ(of(RunStep::cnn1), 0.2);
    EXPECT_DOUBLE_EQ(of(RunStep::graph1), 0.08);
    EXPECT_DOUBLE_EQ(of(RunStep::graph3), 0.16);
    EXPECT_DOUBLE_EQ(of(RunStep::block1), 0.28);
    EXPECT_DOUBLE_EQ(of(RunStep::block2), 0.28);
}

TEST(StepHistory, countsFitsSeparatelyFromTheNetwork) {
    StepHistory history;
    EXPECT_FALSE(history.fits().last());
    history.add(run(100, 5));
    history.addFit(800);
    EXPECT_EQ(history.fits().last(), 800.0);
    EXPECT_EQ(history.totals().last(), 5.0);
    for (std::size_t i = 0; i <= StepHistory::kMaxRuns; ++i) history.addFit(1);
    EXPECT_EQ(history.fits().size(), StepHistory::kMaxRuns);
}

}  // namespace
}  // namespace threefold::ui
