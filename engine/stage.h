#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace threefold {

/// Maximum number of hypothesis blocks of a model; the published one has two.
inline constexpr std::size_t kMaxHypothesisBlocks = 9;
inline constexpr std::size_t kPublishedHypothesisBlocks = 2;

/// Timed steps of a reconstruction, in the order in which they begin (METHOD.md §3 to §7).
/// Further hypothesis blocks follow `block2`, up to kMaxHypothesisBlocks: blockStage().
enum class Stage {
    load,        ///< files to pixels and cameras
    preprocess,  ///< §3
    cnn1,        ///< §4, stage 1, 18 layers
    project1,    ///< §5, before each of the three levels, summed
    graph1,      ///< §6, 156 vertices
    graph2,      ///< 618 vertices
    graph3,      ///< 2466 vertices: ends in the coarse mesh
    cnn2,        ///< §4, stage 2, 8 layers
    project2,    ///< §5, at the candidates of all hypothesis blocks, summed
    block1,      ///< §7, hypothesis block 1; includes its projection if project2 is not timed
    block2,      ///< hypothesis block 2: ends in the published refined mesh
};

inline constexpr std::size_t kStagesBeforeBlocks = static_cast<std::size_t>(Stage::block1);

/// The stage of hypothesis block `block`, from 0.
constexpr Stage blockStage(std::size_t block) {
    return static_cast<Stage>(kStagesBeforeBlocks + block);
}
constexpr bool isHypothesisBlock(Stage stage) {
    return stage >= Stage::block1;
}

/// The stages of a model with kMaxHypothesisBlocks blocks.
inline constexpr auto kAllStages = [] {
    std::array<Stage, kStagesBeforeBlocks + kMaxHypothesisBlocks> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Stage>(i);
    return all;
}();

/// The stages of a model with `hypothesisBlocks` blocks; a model without blocks has no stage 2.
constexpr std::span<const Stage> stagesOf(std::size_t hypothesisBlocks) {
    return std::span(kAllStages)
        .first(hypothesisBlocks == 0 ? static_cast<std::size_t>(Stage::cnn2)
                                     : kStagesBeforeBlocks + hypothesisBlocks);
}

/// Whether the stage is a projection, interleaved with later stages: timed, but without progress.
constexpr bool isProjection(Stage stage) {
    return stage == Stage::project1 || stage == Stage::project2;
}

/// Short lower-case name, the same in JSON, tables and the window: "cnn1", "block2".
std::string_view stageName(Stage stage);

/// Tooltip text: "Convolutions of stage 1, 18 layers, all views".
std::string_view stageDescription(Stage stage);

/// The computation of the stage, as a phrase within a sentence: "local graph convolutions of
/// hypothesis block 2".
std::string_view stagePart(Stage stage);

struct StageTiming {
    Stage stage;
    double milliseconds;  ///< wall time
};
using StageTimings = std::vector<StageTiming>;

/// The stages of the timed model; those of the published model if its stages were not timed.
std::span<const Stage> stagesOf(const StageTimings& timings);

/// The network's slowest stage.
struct LongestStage {
    Stage stage = Stage::block2;
    double share = 0;             ///< fraction of the sum of the network's stages, 0…1
    bool withProjection = false;  ///< a hypothesis block, timed together with its projection

    /// "local graph convolutions of hypothesis block 2 (block2), 41.3 % of the network".
    std::string text() const;
};

/// The slowest stage except load and preprocess; nullopt without times of such stages.
std::optional<LongestStage> longestStage(const StageTimings& timings);

/// Whether the stage counts in RecordTimes::network: all except `load` and `preprocess`.
constexpr bool isNetworkStage(Stage stage) {
    return stage != Stage::load && stage != Stage::preprocess;
}

/// Sum over the stages that a backend runs (all except `load`), in milliseconds.
double networkMilliseconds(const StageTimings& timings);

}  // namespace threefold
