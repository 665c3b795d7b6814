#include "engine/pipeline/worker_planner.h"

#include <algorithm>
#include <cstddef>

#include <gtest/gtest.h>

namespace threefold::test {
namespace {

TEST(WorkerPlanner, needsOneThreadEach_whenTheNetworkIsTheSlowest) {
    WorkerPlanner onProcessor(2, false);
    WorkerPlanner onDevice(2, true);
    for (int i = 0; i < 50; ++i) {
        EXPECT_EQ(onProcessor.replan({1, 1, 670, 30, 30}, 1.4), (WorkerCounts{1, 1}));
        EXPECT_EQ(onDevice.replan({1, 1, 100, 30, 30}, 10), (WorkerCounts{1, 1}));
    }
}

/// Samples per second with a disk that serves any number of loaders at once, and a fast device.
double rateOf(const WorkerCounts& sizes, const SampleCosts& costs) {
    return 1000 / std::max({costs.load / static_cast<double>(sizes.loaders),
                            costs.finish / static_cast<double>(sizes.finishers), costs.network});
}

/// Worker counts of a run on a GPU after twenty plans.
WorkerCounts plannedFor(const SampleCosts& costs, std::size_t cores) {
    WorkerPlanner planner(cores, true);
    WorkerCounts sizes = planner.counts();
    for (int i = 0; i < 20; ++i) sizes = planner.replan(costs, rateOf(sizes, costs));
    return sizes;
}

TEST(WorkerPlanner, beginsWithAtMostThirtyTwoLoaders_whenThereAreManyCores) {
    EXPECT_EQ(WorkerPlanner(128, true).counts(), (WorkerCounts{32, 32}));
    EXPECT_EQ(WorkerPlanner(64, true).counts(), (WorkerCounts{32, 16}));
    EXPECT_EQ(WorkerPlanner(1, true).counts(), (WorkerCounts{1, 1}));
}

TEST(WorkerPlanner, addsLoaders_untilTheNetworkIsBusy) {
    const WorkerCounts sizes = plannedFor({80, 2, 10, 5, 5}, 4);
    EXPECT_GE(sizes.loaders, 8U);
    EXPECT_LE(sizes.loaders, 12U);
    EXPECT_EQ(sizes.finishers, 1U);
}

TEST(WorkerPlanner, removesALoader_whenMoreReadNoFaster) {
    WorkerPlanner planner(2, true);
    std::size_t max = 0;
    std::size_t sum = 0;
    constexpr int kCalls = 200;
    for (int i = 0; i < kCalls; ++i) {
        // A single disk: with twice the loaders, each takes twice as long.
        const auto loaders = static_cast<double>(planner.counts().loaders);
        const WorkerCounts sizes = planner.replan({50 * loaders, 1, 1, 1, 1}, 20);
        max = std::max(max, sizes.loaders);
        sum += sizes.loaders;
    }
    EXPECT_LE(max, 2U);
    EXPECT_LT(sum, 1.2 * kCalls);
}

TEST(WorkerPlanner, addsFinishers_upToTheNumberOfCores) {
    const WorkerCounts sizes = plannedFor({1, 1, 1, 400, 400}, 16);
    EXPECT_EQ(sizes.finishers, 16U);
    EXPECT_LE(sizes.loaders, 8U);
}

TEST(WorkerPlanner, staysWithinItsBounds_withAnyMeasurements) {
    for (const double load : {0.0, 1e-9, 1.0, 1e300}) {
        for (const double network : {0.0, 1e-9, 1e300}) {
            WorkerPlanner planner(3, true);
            for (int i = 0; i < 40; ++i) {
                const WorkerCounts sizes = planner.replan({load, load, network, load, load}, i);
                EXPECT_GE(sizes.loaders, 1U);
                EXPECT_LE(sizes.loaders, WorkerPlanner::kMaxLoaders);
                EXPECT_GE(sizes.finishers, 1U);
                EXPECT_LE(sizes.finishers, 3U);
            }
        }
    }
}

}  // namespace
}  // namespace threefold::test
