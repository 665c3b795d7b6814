#include "engine/stage.h"

#include <fmt/format.h>

namespace threefold {
namespace {

struct StageText {
    Stage stage;
    std::string_view name, description, part;
};

constexpr StageText kStages[] = {
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
};

constexpr StageText textOf(Stage stage) {
    for (const StageText& text : kStages)
        if (text.stage == stage) return text;
    return {stage, "unknown", "", ""};
}

}  // namespace

std::string_view stageName(Stage stage) {
    return textOf(stage).name;
}

std::string_view stageDescription(Stage stage) {
    return textOf(stage).description;
}

std::string_view stagePart(Stage stage) {
    return textOf(stage).part;
}

std::string LongestStage::text() const {
    constexpr double kPercent = 100.0;
    return fmt::format("{}{} ({}), {:.1f} % of the network", stagePart(stage),
                       withProjection ? " and projection" : "", stageName(stage), kPercent * share);
}

std::optional<LongestStage> longestStage(const StageTimings& timings) {
    double sum = 0;
    const StageTiming* longest = nullptr;
    bool projected = false;
    for (const StageTiming& timing : timings) {
        if (!isNetworkStage(timing.stage)) continue;
        sum += timing.milliseconds;
        projected = projected || timing.stage == Stage::project2;
        if (longest == nullptr || timing.milliseconds > longest->milliseconds) longest = &timing;
    }
    if (!(sum > 0)) return std::nullopt;
    const bool block = longest->stage == Stage::block1 || longest->stage == Stage::block2;
    return LongestStage{longest->stage, longest->milliseconds / sum, block && !projected};
}

double networkMilliseconds(const StageTimings& timings) {
    double sum = 0;
    for (const StageTiming& timing : timings) {
        if (timing.stage != Stage::load) sum += timing.milliseconds;
    }
    return sum;
}

}  // namespace threefold
