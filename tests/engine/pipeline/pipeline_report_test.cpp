#include "engine/pipeline/pipeline_report.h"
#include "engine/pipeline/pipeline_meter.h"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace threefold::test {
namespace {

/// Report of 100 samples in one second, with one thread per group.
PipelineReport report(double load, double network, double measure, double write) {
    PipelineReport made;
    made.wallMilliseconds = 1000;
    made.samples = 100;
    for (WorkerGroupTimes& group : made.groups) {
        group.threads = 1;
        group.available = made.wallMilliseconds;
    }
    made.of(PipelineStep::load) = {100, load, load};
    made.of(PipelineStep::network) = {100, network, 0};
    made.of(PipelineStep::measure) = {100, measure, measure};
    made.of(PipelineStep::write) = {100, write, write};
    return made;
}

TEST(Bottleneck, isTheGroupWithTheLeastIdleTime) {
    EXPECT_EQ(bottleneckOf(report(900, 500, 300, 100)).step, PipelineStep::load);
    EXPECT_EQ(bottleneckOf(report(400, 950, 300, 100)).step, PipelineStep::network);
    const Bottleneck finishing = bottleneckOf(report(400, 600, 600, 300));
    EXPECT_EQ(finishing.group, WorkerGroup::finishers);
    EXPECT_EQ(finishing.step, PipelineStep::measure);
    EXPECT_DOUBLE_EQ(finishing.occupancy, 0.9);
    EXPECT_EQ(bottleneckText(finishing),
              "finishing (mostly measure): 90 % of the wall time; more cores, or fewer protocols, "
              "help");
}

TEST(Bottleneck, countsAllThreadsOfAGroup) {
    PipelineReport made = report(1600, 600, 300, 100);
    made.of(WorkerGroup::loaders).available = 4000;
    EXPECT_EQ(bottleneckOf(made).step, PipelineStep::network);
}

TEST(Bottleneck, distinguishesReading_fromDecoding) {
    PipelineReport made = report(770, 300, 100, 10);
    EXPECT_FALSE(bottleneckOf(made).isWaiting);
    EXPECT_EQ(bottleneckText(bottleneckOf(made)),
              "load: 77 % of the wall time; decoding: more cores, or smaller images, help");
    made.of(PipelineStep::load).cpuTime = 50;
    EXPECT_TRUE(bottleneckOf(made).isWaiting);
    EXPECT_EQ(
        bottleneckText(bottleneckOf(made)),
        "load: 77 % of the wall time; waiting for files: a faster disk or a local copy helps");
}

TEST(Bottleneck, namesTheRunStep_whenTheNetworkIsTheBottleneck) {
    PipelineReport made = report(400, 950, 300, 100);
    made.networkSteps = {{RunStep::preprocess, 900},
                         {RunStep::cnn1, 10},
                         {RunStep::project2, 30},
                         {RunStep::block1, 60}};
    EXPECT_EQ(bottleneckText(bottleneckOf(made)),
              "network: 95 % of the wall time, longest the local graph convolutions of hypothesis "
              "block 1 (block1), 60.0 % of the network; a faster device, or a smaller precision, "
              "helps");
    // A GPU's fused block includes the projection, which has no step of its own there.
    made.networkSteps.erase(made.networkSteps.begin() + 2);
    EXPECT_THAT(bottleneckText(bottleneckOf(made)),
                testing::HasSubstr("hypothesis block 1 and projection (block1), 85.7 %"));
    made = report(900, 500, 300, 100);
    made.networkSteps = {{RunStep::cnn1, 10}};
    EXPECT_FALSE(bottleneckOf(made).networkStep.has_value()) << "the network is not the bottleneck";
}

TEST(PipelineMeter, sumsStepTimings_overAllSamples) {
    PipelineMeter meter(false);
    meter.addStepTimings({{RunStep::cnn1, 1}, {RunStep::block1, 2}});
    meter.addStepTimings({});
    meter.addStepTimings({{RunStep::block1, 3}, {RunStep::project2, 4}});
    const StepTimings sums = meter.takeReport().networkSteps;
    ASSERT_EQ(sums.size(), 3U);
    EXPECT_EQ(sums[0].milliseconds, 1);
    EXPECT_EQ(sums[1].milliseconds, 5);
    EXPECT_EQ(sums[2].step, RunStep::project2);
}

TEST(Bottleneck, isNamed_evenWhenNothingRan) {
    EXPECT_EQ(bottleneckOf({}).occupancy, 0);
}

TEST(PipelineMeter, countsTheTimeInWhichThreadsMayWork) {
    PipelineMeter meter(false);
    meter.setThreads(WorkerGroup::loaders, 4);
    meter.setThreads(WorkerGroup::loaders, 1);
    const double begin = meter.now();
    while (meter.now() < begin + 20) std::this_thread::yield();
    const PipelineReport made = meter.takeReport();
    EXPECT_EQ(made.of(WorkerGroup::loaders).threads, 4U);
    EXPECT_GE(made.of(WorkerGroup::loaders).available, 20);
    EXPECT_LE(made.of(WorkerGroup::loaders).available, made.wallMilliseconds + 3 * begin);
    EXPECT_EQ(made.of(WorkerGroup::finishers).available, 0);
}

TEST(PipelineMeter, keepsItsListsShort_inALongRun) {
    PipelineMeter meter(false);
    for (std::size_t i = 0; i < 3 * PipelineReport::kMaxBatchTimes; ++i) {
        meter.addBatch(1, 1, {static_cast<double>(i), i, 0});
        meter.addStored(static_cast<double>(i), i % 2 == 0);
    }
    const PipelineReport made = meter.takeReport();
    EXPECT_EQ(made.samples, 3 * PipelineReport::kMaxBatchTimes);
    EXPECT_EQ(made.failed, (made.samples + 1) / 2);
    EXPECT_EQ(made.batches.size(), PipelineReport::kMaxBatchTimes);
    EXPECT_EQ(made.latencies.back(), static_cast<double>(made.samples - 1));
    EXPECT_LE(made.depths.size(), PipelineReport::kMaxDepths);
    EXPECT_GE(made.depths.size(), PipelineReport::kMaxDepths / 4);
    EXPECT_EQ(made.depths.front().loaded, 0U);
    EXPECT_GT(made.depths.back().loaded, made.samples * 9 / 10);
}

TEST(PipelineStepTimer, countsATime_evenWhenItsWorkThrows) {
    PipelineMeter meter(true);
    PipelineStepTimer timer(meter, LaneKind::finisher, 2);
    timer.setPosition(6);
    try {
        const auto step = timer.step(PipelineStep::fit, 3);
        throw 1;
    } catch (int) {
    }
    const PipelineReport made = meter.takeReport();
    EXPECT_EQ(made.of(PipelineStep::fit).samples, 3U);
    EXPECT_GT(made.of(PipelineStep::fit).busy, 0);
    ASSERT_EQ(made.spans.size(), 1U);
    EXPECT_EQ(made.spans[0].name, "fit");
    EXPECT_EQ(laneName(made.spans[0].lane), "finisher 3");
    EXPECT_EQ(made.spans[0].number, 7);
}

}  // namespace
}  // namespace threefold::test
