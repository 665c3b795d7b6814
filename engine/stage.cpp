#include "engine/stage.h"

namespace threefold {

std::string_view stageName(Stage stage) {
    switch (stage) {
        case Stage::load:
            return "load";
        case Stage::preprocess:
            return "preprocess";
        case Stage::cnn1:
            return "cnn1";
        case Stage::graph1:
            return "graph1";
        case Stage::graph2:
            return "graph2";
        case Stage::graph3:
            return "graph3";
        case Stage::cnn2:
            return "cnn2";
        case Stage::block1:
            return "block1";
        case Stage::block2:
            return "block2";
    }
    return "unknown";
}

std::string_view stageDescription(Stage stage) {
    switch (stage) {
        case Stage::load:
            return "Files to pixels and cameras";
        case Stage::preprocess:
            return "White background, resize to 224 × 224, BGR";
        case Stage::cnn1:
            return "Convolutions of stage 1: 18 layers, all views";
        case Stage::graph1:
            return "Pooling and graph convolutions on level 1 (156 vertices)";
        case Stage::graph2:
            return "Pooling and graph convolutions on level 2 (618 vertices)";
        case Stage::graph3:
            return "Pooling and graph convolutions on level 3: the coarse mesh";
        case Stage::cnn2:
            return "Convolutions of stage 2: 8 layers, all views";
        case Stage::block1:
            return "First hypothesis block: 43 candidates for each vertex";
        case Stage::block2:
            return "Second hypothesis block: the refined mesh";
    }
    return "";
}

double networkMilliseconds(const StageTimings& timings) {
    double sum = 0;
    for (const StageTiming& timing : timings) {
        if (timing.stage != Stage::load) sum += timing.milliseconds;
    }
    return sum;
}

}  // namespace threefold
