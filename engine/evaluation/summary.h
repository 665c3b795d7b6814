#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/evaluation/result_files.h"
#include "engine/evaluation/statistics.h"

namespace threefold {

/// Statistics of one measure of one mesh, over the samples of a group that have it.
struct MeshStatistics {
    std::optional<Statistics> values;
    /// This mesh's value less that of the mesh before it, sample by sample: paired. None of the
    /// first mesh.
    std::optional<Statistics> change;
};
/// The statistics of each of measuredMeshes().
using ComparedStatistics = ByMesh<MeshStatistics>;

/// The names of the meshes that a run's records measure, in their order: kPublishedMeshes where no
/// record is measured, and kFittedMesh where any is fitted.
std::vector<std::string> measuredMeshes(std::span<const SampleRecord> records);

/// The measures of one protocol; or of silhouettes of meshes against photographs, which samples
/// with and without a truth have.
struct MeasuredSummary {
    std::size_t measured = 0;   ///< samples: with a truth, or a photograph that shows an outline
    std::size_t regressed = 0;  ///< those that stage 2 made worse: a larger Chamfer distance, or a
                                ///< smaller overlap
    std::vector<ComparedStatistics> measures;  ///< in the order of their table (measure_table.h)
};

/// The samples of one category, or all.
struct GroupSummary {
    std::string category;  ///< "02691156"; empty for all, and outside ShapeNet's layout
    std::string name;      ///< "airplane", or the category; "all"
    std::size_t samples = 0;
    std::size_t failed = 0;
    std::size_t withoutTruth = 0;            ///< done, but not scored
    std::vector<MeasuredSummary> protocols;  ///< in the run's order
    MeasuredSummary silhouettes;
};

/// GroupSummary::name of a category.
std::string shownCategory(const std::string& category);

/// A failed sample's error without what differs from sample to sample: its line of the list, and
/// words with a digit or a slash.
std::string failureKind(const SampleRecord& record);

/// Samples of one failureKind().
struct FailureGroup {
    std::string reason;                ///< the first one's error
    std::vector<std::size_t> records;  ///< indices
};

struct TimeColumn {
    std::string key;    ///< "network", "cnn1"
    std::string title;  ///< a few words
    Statistics milliseconds;
    double share = 0;  ///< of a stage: of the sum of all stages' means, 0…1
};

/// Where the time went, over the samples that were done.
struct TimeSummary {
    std::optional<Statistics> network;  ///< milliseconds a sample, warm-up excluded: the headline
    double samplesPerSecond = 0;        ///< 1000 / mean of the network; 0 without times
    std::vector<TimeColumn> parts;      ///< load, preprocess, network, metrics, write
    std::vector<TimeColumn> stages;     ///< of the network, in their order
    /// Which part is the bottleneck, and what the others add: one or two sentences.
    std::string verdict;
};

struct EvaluationSummary {
    std::vector<std::string> meshes;  ///< measuredMeshes()
    GroupSummary all;
    std::vector<GroupSummary> categories;  ///< by category; a group without one comes last
    std::vector<FailureGroup> failures;    ///< most frequent first
    TimeSummary time;
};

/// The names of the network's own meshes: `measured`, from measuredMeshes(), without kFittedMesh.
std::vector<std::string> networkMeshes(std::vector<std::string> measured);

/// What all output files share. Depends on records and run alone; uses the process's threads.
EvaluationSummary summarise(const EvaluationRun& run);

/// Published means of one category (METHOD.md §9), from other weights and other data. Shown beside
/// a run's own means under the published protocol at τ = 1e-4, never as the run's own.
struct PublishedMeans {
    double chamfer;  ///< object units²
    double fTau;     ///< %
    double f2Tau;

    /// The mean of the measure with this key; std::nullopt except for kPublishedKeys.
    std::optional<double> of(std::string_view key) const;
};
inline constexpr std::array<std::string_view, 3> kPublishedKeys = {"chamfer", "f_tau", "f_2tau"};
/// std::nullopt except for the six published categories.
std::optional<PublishedMeans> publishedMeans(std::string_view category);
/// The means over all six, 1023 samples, if the run's categories are exactly these.
std::optional<PublishedMeans> publishedMeans(std::span<const GroupSummary> categories);
/// The label that must accompany such numbers.
inline constexpr std::string_view kPublishedLabel =
    "published: means of the method's authors' weights over their 1023 samples of six categories "
    "(METHOD.md §9), not of this run's model or data";

}  // namespace threefold
