#pragma once

#include <string_view>
#include <vector>

namespace threefold {

/// The steps a reconstruction is timed by, in the order in which they run (METHOD.md §3 to §7).
enum class Stage {
    load,        ///< files to pixels and cameras
    preprocess,  ///< §3
    cnn1,        ///< §4, stage 1, 18 layers
    graph1,      ///< §5 and §6, 156 vertices
    graph2,      ///< 618 vertices
    graph3,      ///< 2466 vertices: ends in the coarse mesh
    cnn2,        ///< §4, stage 2, 8 layers
    block1,      ///< §7, first hypothesis block
    block2,      ///< second: ends in the refined mesh
};

inline constexpr Stage kAllStages[] = {Stage::load,   Stage::preprocess, Stage::cnn1,
                                       Stage::graph1, Stage::graph2,     Stage::graph3,
                                       Stage::cnn2,   Stage::block1,     Stage::block2};

/// Short lower-case name, the same in JSON, tables and the window: "cnn1", "block2".
std::string_view stageName(Stage stage);

/// A sentence for a tooltip: "Convolutions of stage 1, 18 layers, all views".
std::string_view stageDescription(Stage stage);

struct StageTiming {
    Stage stage;
    double milliseconds;  ///< wall time
};
using StageTimings = std::vector<StageTiming>;

/// Sum over the stages that a backend runs (all but `load`), in milliseconds.
double networkMilliseconds(const StageTimings& timings);

}  // namespace threefold
