#include "engine/model/run_step.h"

#include <algorithm>

#include <fmt/format.h>

namespace threefold {
namespace {

struct StepText {
    RunStep step;
    std::string name, description, phrase;
};

/// Texts of all steps.
std::vector<StepText> makeStepTexts() {
    std::vector<StepText> texts = {
        {RunStep::load, "load", "Files to pixels and cameras", "reading"},
        {RunStep::preprocess, "preprocess", "White background, resize to 224 × 224, BGR",
         "preprocessing"},
        {RunStep::cnn1, "cnn1", "Convolutions of stage 1: 18 layers, all views",
         "convolutions of stage 1"},
        {RunStep::project1, "project1",
         "Projection of stage 1: features pooled at the vertices, 3 levels",
         "projection of stage 1"},
        {RunStep::graph1, "graph1", "Graph convolutions on level 1",
         "graph convolutions of level 1"},
        {RunStep::graph2, "graph2", "Graph convolutions on level 2",
         "graph convolutions of level 2"},
        {RunStep::graph3, "graph3", "Graph convolutions on level 3: the coarse mesh",
         "graph convolutions of level 3"},
        {RunStep::cnn2, "cnn2", "Convolutions of stage 2: 8 layers, all views",
         "convolutions of stage 2"},
        {RunStep::project2, "project2", "Projection of stage 2: features pooled at the hypotheses",
         "projection of stage 2"},
        {RunStep::block1, "block1", "First hypothesis block: hypotheses around each vertex",
         "local graph convolutions of hypothesis block 1"},
        {RunStep::block2, "block2", "Second hypothesis block: the refined mesh",
         "local graph convolutions of hypothesis block 2"}};
    for (std::size_t block = kPublishedHypothesisBlocks; block < kMaxHypothesisBlocks; ++block)
        texts.push_back(
            {blockStep(block), fmt::format("block{}", block + 1),
             fmt::format("Hypothesis block {}: hypotheses around each vertex", block + 1),
             fmt::format("local graph convolutions of hypothesis block {}", block + 1)});
    return texts;
}

const StepText& textOf(RunStep step) {
    static const std::vector<StepText> kStepTexts = makeStepTexts();
    return *std::ranges::find(kStepTexts, step, &StepText::step);
}

}  // namespace

std::string_view runStepName(RunStep step) {
    return textOf(step).name;
}

std::string_view runStepDescription(RunStep step) {
    return textOf(step).description;
}

std::string_view runStepPhrase(RunStep step) {
    return textOf(step).phrase;
}

std::string SlowestStep::text() const {
    return fmt::format("{}{} ({}), {:.1f} % of the network", runStepPhrase(step),
                       withProjection ? " and projection" : "", runStepName(step), 100 * fraction);
}

std::span<const RunStep> runStepsOf(const StepTimings& timings) {
    const auto isTimed = [&](RunStep step) {
        return std::ranges::find(timings, step, &StepTiming::step) != timings.end();
    };
    if (!isTimed(RunStep::graph3)) return runStepsOf(kPublishedHypothesisBlocks);
    std::size_t blocks = 0;
    while (blocks < kMaxHypothesisBlocks && isTimed(blockStep(blocks))) ++blocks;
    return runStepsOf(blocks);
}

std::optional<SlowestStep> slowestStep(const StepTimings& timings) {
    double sum = 0;
    const StepTiming* slowest = nullptr;
    bool projectionTimed = false;
    for (const StepTiming& timing : timings) {
        if (!isNetworkStep(timing.step)) continue;
        sum += timing.milliseconds;
        projectionTimed = projectionTimed || timing.step == RunStep::project2;
        if (slowest == nullptr || timing.milliseconds > slowest->milliseconds) slowest = &timing;
    }
    if (slowest == nullptr || !(sum > 0)) return std::nullopt;
    return SlowestStep{slowest->step, slowest->milliseconds / sum,
                       isHypothesisBlock(slowest->step) && !projectionTimed};
}

double summedBackendMilliseconds(const StepTimings& timings) {
    double sum = 0;
    for (const StepTiming& timing : timings) {
        if (timing.step != RunStep::load) sum += timing.milliseconds;
    }
    return sum;
}

}  // namespace threefold
