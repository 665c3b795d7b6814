#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/evaluation/run/evaluation_run.h"
#include "engine/numerics/statistics.h"

namespace threefold {

/// Statistics of one measure of one mesh, over the samples of a group that have a value.
struct MeshStatistics {
    std::optional<Statistics> values;
    /// Paired difference: this mesh's value minus the previous mesh's, sample by sample. nullopt
    /// for the first mesh.
    std::optional<Statistics> change;
};
/// Statistics of each of measuredMeshes().
using StatisticsByMesh = ByMesh<MeshStatistics>;

/// Names of the measured meshes of a run's records, in order; kPublishedStageNames if no record is
/// measured. Ends with kFittedMesh if any record is fitted.
std::vector<std::string> measuredMeshes(std::span<const SampleRecord> records);

/// Summary of the measures of one protocol, of silhouettes, which need no truth, or of distances
/// from the truth's surface.
struct MeasureSummary {
    /// Samples that the measures apply to: samples with a truth; for distances, with a truth that
    /// has faces; for silhouettes, with a photograph that shows an outline.
    std::size_t sampleCount = 0;
    /// Samples that stage 2 made worse: a larger Chamfer or mean distance, or a smaller overlap.
    std::size_t regressedCount = 0;
    std::vector<StatisticsByMesh> measures;  ///< in the order of their table (measure_table.h)
};

/// Summary of the samples of one category, or of all samples.
struct GroupSummary {
    std::string category;  ///< "02691156"; empty for all, and outside ShapeNet's layout
    std::string name;      ///< "airplane", or the category; "all"
    std::size_t sampleCount = 0;
    std::size_t failedCount = 0;
    std::size_t withoutTruthCount = 0;      ///< done, but not scored
    std::vector<MeasureSummary> protocols;  ///< one for each protocol, in the run's order
    MeasureSummary silhouettes;
    MeasureSummary distances;
};

/// A failed sample's error, with sample-specific text replaced by "…": the line of the list, and
/// words with a digit or a slash.
std::string failurePattern(const SampleRecord& record);

/// Samples with the same failurePattern().
struct FailureGroup {
    std::string reason;  ///< error of the first sample
    std::vector<std::size_t> recordIndices;
};

/// Times of one step over the samples that are done.
struct StepTimeSummary {
    std::string key;        ///< "network", "cnn1"
    std::string title;      ///< displayed name, a few words
    Statistics statistics;  ///< milliseconds
    double fraction = 0;    ///< for run steps: fraction of the sum of their means, 0…1
};

/// Summary of times, over the samples that are done.
struct TimeSummary {
    std::optional<Statistics> network;  ///< milliseconds of the network per sample, without warm-up
    double samplesPerSecond = 0;        ///< 1000 / mean of `network`; 0 without times
    std::vector<StepTimeSummary> pipelineSteps;  ///< load, preprocess, network, fit, metrics, write
    std::vector<StepTimeSummary> runSteps;       ///< run steps of the network, in order
    /// The bottleneck and the cost of the other steps, in one to three sentences.
    std::string bottleneckText;
};

/// Result of summarise().
struct EvaluationSummary {
    std::vector<std::string> meshes;  ///< measuredMeshes()
    GroupSummary all;
    /// Sorted by category; samples without a category come last.
    std::vector<GroupSummary> categories;
    std::vector<FailureGroup> failures;  ///< most frequent first
    TimeSummary time;
};

/// Names of the network's meshes: `measured`, from measuredMeshes(), without kFittedMesh.
std::vector<std::string> networkMeshes(std::vector<std::string> measured);

/// Computes the summary for all output files. Depends only on the run; uses the process's threads.
EvaluationSummary summarise(const EvaluationRun& run);

}  // namespace threefold
