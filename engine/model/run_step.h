#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace threefold {

/// Maximum number of hypothesis blocks of a model; the published model has two.
inline constexpr std::size_t kMaxHypothesisBlocks = 9;
inline constexpr std::size_t kPublishedHypothesisBlocks = 2;

/// Timed steps of a reconstruction, in the order in which they begin (METHOD.md §3 to §7). Further
/// hypothesis blocks follow `block2`, up to kMaxHypothesisBlocks: blockStep().
enum class RunStep {
    load,        ///< files to pixels and cameras
    preprocess,  ///< §3
    cnn1,        ///< §4, stage 1, 18 layers
    project1,    ///< §5, before each of the three levels, summed
    graph1,      ///< §6, level 1
    graph2,      ///< level 2
    graph3,      ///< level 3: ends in the coarse mesh
    cnn2,        ///< §4, stage 2, 8 layers
    project2,    ///< §5, at the hypotheses of all hypothesis blocks, summed
    block1,      ///< §7, hypothesis block 1; includes its projection if project2 is not timed
    block2,      ///< hypothesis block 2: ends in the published refined mesh
};

inline constexpr std::size_t kStepsBeforeBlocks = static_cast<std::size_t>(RunStep::block1);

/// The step of the graph block on template level `level`, from 0 to 2.
constexpr RunStep graphStep(std::size_t level) {
    return static_cast<RunStep>(static_cast<std::size_t>(RunStep::graph1) + level);
}
/// The step of hypothesis block `block`, from 0.
constexpr RunStep blockStep(std::size_t block) {
    return static_cast<RunStep>(kStepsBeforeBlocks + block);
}
constexpr bool isHypothesisBlock(RunStep step) {
    return step >= RunStep::block1;
}

/// The steps of a model with kMaxHypothesisBlocks blocks.
inline constexpr auto kAllRunSteps = [] {
    std::array<RunStep, kStepsBeforeBlocks + kMaxHypothesisBlocks> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<RunStep>(i);
    return all;
}();

/// The steps of a model with `hypothesisBlocks` blocks; a model without blocks has no stage 2.
constexpr std::span<const RunStep> runStepsOf(std::size_t hypothesisBlocks) {
    return std::span(kAllRunSteps)
        .first(hypothesisBlocks == 0 ? static_cast<std::size_t>(RunStep::cnn2)
                                     : kStepsBeforeBlocks + hypothesisBlocks);
}

/// Whether the step is a projection. Projections are interleaved with later steps, so they report
/// no progress; their times are measured.
constexpr bool isProjection(RunStep step) {
    return step == RunStep::project1 || step == RunStep::project2;
}

/// Short lower-case name, the same in JSON, tables and the window: "cnn1", "block2".
std::string_view runStepName(RunStep step);

/// Tooltip text: "Convolutions of stage 1: 18 layers, all views".
std::string_view runStepDescription(RunStep step);

/// Phrase for the step within a sentence: "local graph convolutions of
/// hypothesis block 2".
std::string_view runStepPhrase(RunStep step);

/// Elapsed time of one run step.
struct StepTiming {
    RunStep step;
    double milliseconds;  ///< wall time
};
using StepTimings = std::vector<StepTiming>;

/// The steps of the model that was timed. If stage 1 was not timed to its end (graph3), the steps
/// of the published model.
std::span<const RunStep> runStepsOf(const StepTimings& timings);

/// The network's slowest step.
struct SlowestStep {
    RunStep step = RunStep::block2;
    double fraction = 0;          ///< fraction of the summed times of the network's steps, 0…1
    bool withProjection = false;  ///< the step is a hypothesis block, timed with its projection

    /// "local graph convolutions of hypothesis block 2 (block2), 41.3 % of the network".
    std::string text() const;
};

/// The slowest of the network's steps (isNetworkStep()); nullopt if none has a time above 0.
std::optional<SlowestStep> slowestStep(const StepTimings& timings);

/// Whether the step belongs to the network itself: all except `load` and `preprocess`.
constexpr bool isNetworkStep(RunStep step) {
    return step != RunStep::load && step != RunStep::preprocess;
}

/// Sum of the times of all steps except `load`, in milliseconds.
double summedBackendMilliseconds(const StepTimings& timings);

}  // namespace threefold
