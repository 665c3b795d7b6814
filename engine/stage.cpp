#include "engine/stage.h"

#include <algorithm>

#include <fmt/format.h>

namespace threefold {
namespace {

struct StageText {
    Stage stage;
    std::string_view name, description, phrase;
};

constexpr StageText kStages[kAllStages.size()] = {
    {Stage::load, "load", "Files to pixels and cameras", "reading"},
    {Stage::preprocess, "preprocess", "White background, resize to 224 × 224, BGR",
     "preprocessing"},
    {Stage::cnn1, "cnn1", "Convolutions of stage 1: 18 layers, all views",
     "convolutions of stage 1"},
    {Stage::project1, "project1",
     "Projection of stage 1: features pooled at the vertices, 3 levels", "projection of stage 1"},
    {Stage::graph1, "graph1", "Graph convolutions on level 1 (156 vertices)",
     "graph convolutions of level 1"},
    {Stage::graph2, "graph2", "Graph convolutions on level 2 (618 vertices)",
     "graph convolutions of level 2"},
    {Stage::graph3, "graph3", "Graph convolutions on level 3: the coarse mesh",
     "graph convolutions of level 3"},
    {Stage::cnn2, "cnn2", "Convolutions of stage 2: 8 layers, all views",
     "convolutions of stage 2"},
    {Stage::project2, "project2", "Projection of stage 2: features pooled at the candidates",
     "projection of stage 2"},
    {Stage::block1, "block1", "First hypothesis block: 43 candidates for each vertex",
     "local graph convolutions of hypothesis block 1"},
    {Stage::block2, "block2", "Second hypothesis block: the refined mesh",
     "local graph convolutions of hypothesis block 2"},
    {blockStage(2), "block3", "Hypothesis block 3: 43 candidates for each vertex",
     "local graph convolutions of hypothesis block 3"},
    {blockStage(3), "block4", "Hypothesis block 4: 43 candidates for each vertex",
     "local graph convolutions of hypothesis block 4"},
    {blockStage(4), "block5", "Hypothesis block 5: 43 candidates for each vertex",
     "local graph convolutions of hypothesis block 5"},
    {blockStage(5), "block6", "Hypothesis block 6: 43 candidates for each vertex",
     "local graph convolutions of hypothesis block 6"},
    {blockStage(6), "block7", "Hypothesis block 7: 43 candidates for each vertex",
     "local graph convolutions of hypothesis block 7"},
    {blockStage(7), "block8", "Hypothesis block 8: 43 candidates for each vertex",
     "local graph convolutions of hypothesis block 8"},
    {blockStage(8), "block9", "Hypothesis block 9: 43 candidates for each vertex",
     "local graph convolutions of hypothesis block 9"},
};

constexpr const StageText& textOf(Stage stage) {
    return kStages[static_cast<std::size_t>(stage)];
}

static_assert(std::ranges::all_of(kAllStages,
                                  [](Stage stage) { return textOf(stage).stage == stage; }));

}  // namespace

std::string_view stageName(Stage stage) {
    return textOf(stage).name;
}

std::string_view stageDescription(Stage stage) {
    return textOf(stage).description;
}

std::string_view stagePart(Stage stage) {
    return textOf(stage).phrase;
}

std::string LongestStage::text() const {
    constexpr double kPercent = 100.0;
    return fmt::format("{}{} ({}), {:.1f} % of the network", stagePart(stage),
                       withProjection ? " and projection" : "", stageName(stage), kPercent * share);
}

std::span<const Stage> stagesOf(const StageTimings& timings) {
    const auto isTimed = [&](Stage stage) {
        return std::ranges::find(timings, stage, &StageTiming::stage) != timings.end();
    };
    if (!isTimed(Stage::graph3)) return stagesOf(kPublishedHypothesisBlocks);
    std::size_t blocks = 0;
    while (blocks < kMaxHypothesisBlocks && isTimed(blockStage(blocks))) ++blocks;
    return stagesOf(blocks);
}

std::optional<LongestStage> longestStage(const StageTimings& timings) {
    double sum = 0;
    const StageTiming* longest = nullptr;
    bool projectionTimed = false;
    for (const StageTiming& timing : timings) {
        if (!isNetworkStage(timing.stage)) continue;
        sum += timing.milliseconds;
        projectionTimed = projectionTimed || timing.stage == Stage::project2;
        if (longest == nullptr || timing.milliseconds > longest->milliseconds) longest = &timing;
    }
    if (longest == nullptr || !(sum > 0)) return std::nullopt;
    return LongestStage{longest->stage, longest->milliseconds / sum,
                        isHypothesisBlock(longest->stage) && !projectionTimed};
}

double networkMilliseconds(const StageTimings& timings) {
    double sum = 0;
    for (const StageTiming& timing : timings) {
        if (timing.stage != Stage::load) sum += timing.milliseconds;
    }
    return sum;
}

}  // namespace threefold
