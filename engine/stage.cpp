#include "engine/stage.h"

namespace threefold {
namespace {

struct StageText {
    Stage stage;
    std::string_view name, description;
};

constexpr StageText kStages[] = {
    {Stage::load, "load", "Files to pixels and cameras"},
    {Stage::preprocess, "preprocess", "White background, resize to 224 × 224, BGR"},
    {Stage::cnn1, "cnn1", "Convolutions of stage 1: 18 layers, all views"},
    {Stage::graph1, "graph1", "Pooling and graph convolutions on level 1 (156 vertices)"},
    {Stage::graph2, "graph2", "Pooling and graph convolutions on level 2 (618 vertices)"},
    {Stage::graph3, "graph3", "Pooling and graph convolutions on level 3: the coarse mesh"},
    {Stage::cnn2, "cnn2", "Convolutions of stage 2: 8 layers, all views"},
    {Stage::block1, "block1", "First hypothesis block: 43 candidates for each vertex"},
    {Stage::block2, "block2", "Second hypothesis block: the refined mesh"},
};

constexpr StageText textOf(Stage stage) {
    for (const StageText& text : kStages)
        if (text.stage == stage) return text;
    return {stage, "unknown", ""};
}

}  // namespace

std::string_view stageName(Stage stage) {
    return textOf(stage).name;
}

std::string_view stageDescription(Stage stage) {
    return textOf(stage).description;
}

double networkMilliseconds(const StageTimings& timings) {
    double sum = 0;
    for (const StageTiming& timing : timings) {
        if (timing.stage != Stage::load) sum += timing.milliseconds;
    }
    return sum;
}

}  // namespace threefold
