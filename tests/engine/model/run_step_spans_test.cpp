#include "engine/model/run_step_spans.h"

#include <stdexcept>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/support/nest_properly.h"

namespace threefold {
namespace {

const StepTimings kTimings{{RunStep::load, 5},     {RunStep::preprocess, 1}, {RunStep::cnn1, 10},
                           {RunStep::project1, 0}, {RunStep::graph1, 2},     {RunStep::graph2, 3},
                           {RunStep::graph3, 4},   {RunStep::cnn2, 8},       {RunStep::project2, 0},
                           {RunStep::block1, 20},  {RunStep::block2, 21}};

const Span& named(const Spans& spans, std::string_view name) {
    for (const Span& span : spans) {
        if (span.name == name) return span;
    }
    throw std::out_of_range(std::string(name));
}

TEST(RunStepSpans, followEachOther_onTheProcessor) {
    const Spans spans = runStepSpans(kTimings, 69, LaneKind::processor, 100, 7);
    ASSERT_EQ(spans.size(), runStepsOf(kPublishedHypothesisBlocks).size());
    double now = 100;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        EXPECT_EQ(spans[i].name, runStepName(kAllRunSteps[i]));
        EXPECT_EQ(spans[i].lane, (Lane{LaneKind::processor, 0}));
        EXPECT_DOUBLE_EQ(spans[i].begin, now);
        EXPECT_EQ(spans[i].duration, kTimings[i].milliseconds);
        EXPECT_EQ(spans[i].number, 7);
        now += spans[i].duration;
    }
    EXPECT_TRUE(test::nestProperly(spans));
}

TEST(RunStepSpans, loadOnTheProcessor_whenAGpuRunsTheRest) {
    const Spans spans = runStepSpans(kTimings, 69, LaneKind::gpu, 0, 1);
    EXPECT_EQ(named(spans, "load").lane.kind, LaneKind::processor);
    EXPECT_EQ(named(spans, "cnn1").lane, (Lane{LaneKind::gpu, 0}));
    EXPECT_EQ(named(spans, "cnn2").lane, (Lane{LaneKind::gpu, 0}));
    EXPECT_TRUE(test::nestProperly(spans));
}

TEST(RunStepSpans, placesCnn2OnASecondStream_whenStepsOverlap) {
    const Spans spans = runStepSpans(kTimings, 61, LaneKind::gpu, 0, 1);
    EXPECT_EQ(named(spans, "cnn2").lane, (Lane{LaneKind::gpu, 1}));
    EXPECT_EQ(named(spans, "cnn2").begin, named(spans, "cnn1").begin);
    EXPECT_EQ(named(spans, "block1").begin, named(spans, "graph3").end());
    EXPECT_TRUE(test::nestProperly(spans));
}

TEST(RunStepSpans, waitForTheLongerBranch) {
    StepTimings timings = kTimings;
    timings[7].milliseconds = 50;  // cnn2
    const Spans spans = runStepSpans(timings, 92, LaneKind::gpu, 0, 1);
    EXPECT_EQ(named(spans, "block1").begin, named(spans, "cnn2").end());
    EXPECT_TRUE(test::nestProperly(spans));
}

}  // namespace
}  // namespace threefold
