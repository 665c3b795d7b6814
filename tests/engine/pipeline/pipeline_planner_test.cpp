#include "engine/pipeline/pipeline_planner.h"

#include <gtest/gtest.h>

namespace threefold::test {
namespace {

constexpr std::size_t kSampleCount = 1000;
constexpr std::size_t kMaxBatch = 64;

using StepTotals = std::array<PipelineStepTimes, kPipelineSteps.size()>;

/// Totals of `samples` samples, with `load` and `network` milliseconds for each.
StepTotals totalsOf(std::size_t samples, double load, double network) {
    StepTotals totals{};
    for (PipelineStepTimes& times : totals) times.samples = samples;
    totals[static_cast<std::size_t>(PipelineStep::load)].busy = load * static_cast<double>(samples);
    totals[static_cast<std::size_t>(PipelineStep::network)].busy =
        network * static_cast<double>(samples);
    return totals;
}

TEST(PipelinePlanner, keepsSizes_whenTheOptionsGiveThem) {
    const PipelineOptions options{.batch = 6, .coreCount = 2, .loaders = 5, .finishers = 3};
    PipelinePlanner planner(options, kSampleCount, kMaxBatch);
    planner.addBatch(6, 700, 700, true);
    planner.planBatch(kSampleCount - 6, kMaxBatch);
    EXPECT_EQ(planner.batch(), 6U);
    EXPECT_EQ(planner.queueCapacity(), 12U);
    EXPECT_EQ(planner.maxWait(), options.maxWaitMilliseconds);
    EXPECT_TRUE(planner.planWorkers(totalsOf(kSampleCount, 80, 1), 1e4));
    EXPECT_EQ(planner.workers(), (WorkerCounts{5, 3}));
}

TEST(PipelinePlanner, startsNoMoreThreadsThanSamples) {
    const PipelineOptions options{.coreCount = 2, .loaders = 1024, .finishers = 1024};
    EXPECT_EQ(PipelinePlanner(options, 3, kMaxBatch).workers(), (WorkerCounts{3, 3}));
    EXPECT_EQ(PipelinePlanner(options, 0, kMaxBatch).workers(), (WorkerCounts{1, 1}));
    const PipelineOptions manyCores{.usesGpu = true, .coreCount = 64};
    const WorkerCounts planned = PipelinePlanner(manyCores, 3, kMaxBatch).workers();
    EXPECT_LE(planned.loaders, 3U);
    EXPECT_LE(planned.finishers, 3U);
}

TEST(PipelinePlanner, waitsAsLongAsABatchTakes_whenItSizesBatches) {
    const PipelineOptions options{.maxWaitMilliseconds = 100, .coreCount = 2};
    PipelinePlanner planner(options, kSampleCount, kMaxBatch);
    EXPECT_EQ(planner.batch(), 1U);
    planner.addBatch(1, 40, 40, true);
    EXPECT_EQ(planner.maxWait(), 40);
    planner.addBatch(1, 4000, 4000, true);
    EXPECT_EQ(planner.maxWait(), 100);
}

TEST(PipelinePlanner, doublesBatches_whenLargerOnesAreFaster) {
    const PipelineOptions options{.coreCount = 2};
    PipelinePlanner planner(options, kSampleCount, kMaxBatch);
    for (int i = 0; i < 400; ++i) {
        const auto size = static_cast<double>(planner.batch());
        planner.addBatch(planner.batch(), 100 + size, 100 + size, true);
        planner.planBatch(kSampleCount, 4);
    }
    EXPECT_EQ(planner.batch(), 4U) << "the back end's limit";
    EXPECT_GE(planner.queueCapacity(), 8U);
}

TEST(PipelinePlanner, limitsBatchAndQueue_byTheMemoryOfASample) {
    const PipelineOptions options{.usesGpu = true, .coreCount = 2, .memoryBytes = 1000};
    PipelinePlanner planner(options, kSampleCount, kMaxBatch);
    planner.addLoaded(400);
    planner.addLoaded(100);
    for (int i = 0; i < 100; ++i) {
        planner.addBatch(planner.batch(), 100, 100, true);
        planner.planBatch(kSampleCount, kMaxBatch);
    }
    EXPECT_EQ(planner.batch(), 2U);
    EXPECT_TRUE(planner.planWorkers(totalsOf(100, 1000, 1), 1e4));
    EXPECT_EQ(planner.queueCapacity(), 2U);
}

TEST(PipelinePlanner, plansGroups_onlyAfterEnoughSamplesAndTime) {
    const PipelineOptions options{.coreCount = 4};
    PipelinePlanner planner(options, kSampleCount, kMaxBatch);
    constexpr std::size_t kEnough = PipelinePlanner::kSamplesBetweenPlans;
    constexpr double kLate = PipelinePlanner::kMillisecondsBetweenPlans;
    EXPECT_FALSE(planner.planWorkers(totalsOf(kEnough - 1, 80, 10), kLate));
    EXPECT_FALSE(planner.planWorkers(totalsOf(kEnough, 80, 10), kLate - 1));
    EXPECT_EQ(planner.workers(), (WorkerCounts{1, 1}));
    EXPECT_TRUE(planner.planWorkers(totalsOf(kEnough, 80, 10), kLate));
    EXPECT_EQ(planner.workers(), (WorkerCounts{2, 1}));
    EXPECT_FALSE(planner.planWorkers(totalsOf(kEnough, 80, 10), 2 * kLate)) << "no new samples";
}

}  // namespace
}  // namespace threefold::test
