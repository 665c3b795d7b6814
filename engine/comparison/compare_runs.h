#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/comparison/compared_run.h"
#include "engine/comparison/mesh_distances.h"
#include "engine/evaluation/statistics.h"
#include "engine/measures/measure_table.h"

/// Comparison of two runs over the same samples, for `threefold compare`. Statistics cover samples
/// that both runs have done, paired by name, for the fitted mesh if there is one, else the
/// network's result.
namespace threefold {

/// Statistics of one number per sample, in both runs.
struct PairedColumn {
    Statistics first;
    Statistics second;
    Statistics difference;  ///< second − first, sample by sample
    /// Pearson correlation; 1 if the runs are equal, else nullopt if one is constant, or with fewer
    /// than kMinCorrelationCount samples.
    std::optional<double> correlation;
    std::size_t withinToleranceCount =
        0;                        ///< samples with a difference of at most 1 % of the first's
    std::size_t higherCount = 0;  ///< samples where the second is larger by more than that
    std::size_t lowerCount = 0;   ///< samples where the second is smaller by more than that

    /// Through two points there is always a line.
    static constexpr std::size_t kMinCorrelationCount = 3;
    /// With fewer samples the bootstrap's interval is too narrow for a conclusion: of four
    /// differences without a cause, one in eight has one sign throughout. The page of a run has the
    /// same minimum.
    static constexpr std::size_t kMinConclusionCount = 8;

    /// Whether the interval of the mean difference excludes zero. Never with fewer samples than
    /// kMinConclusionCount.
    bool differs() const {
        return difference.count >= kMinConclusionCount &&
               (difference.intervalLow > 0 || difference.intervalHigh < 0);
    }
};

/// Whether `second` differs from `first` by at most 1 % of `first`.
bool isWithinTolerance(double first, double second);

/// One measure in both runs.
struct ComparedMeasure {
    const Measure* measure = nullptr;
    PairedColumn column;

    /// Whether the second run is better in the mean; nullopt unless column.differs().
    std::optional<bool> secondIsBetter() const;
    /// Samples in which the second run is better, or worse, by more than 1 % of the first's value.
    std::size_t betterCount() const;
    std::size_t worseCount() const;
};

/// Speed-up of the second run: geometric mean of the samples' ratios, with the 95 % interval of
/// statisticsOf().
struct SpeedUp {
    std::string key;    ///< "network", "cnn1"
    std::string title;  ///< a few words
    Statistics first;   ///< milliseconds
    Statistics second;
    double ratio = 1;
    double intervalLow = 1;
    double intervalHigh = 1;
};

/// Times of one run's compared samples, in milliseconds; nullopt unless all samples were timed.
struct RunTimes {
    std::optional<Statistics> network;  ///< both stages only, SampleTimes::network
    std::optional<Statistics> total;    ///< preprocessing and network: from pixels to mesh
    std::optional<Statistics> fit;      ///< of the samples that were fitted
};

/// A sample in both runs.
struct SamplePair {
    std::size_t firstRecord = 0;  ///< index of the record in the first run
    std::size_t secondRecord = 0;
    std::optional<std::pair<double, double>> f = {};        ///< F(τ) in both, %
    std::optional<std::pair<double, double>> chamfer = {};  ///< Chamfer distance in both
    std::optional<std::pair<double, double>> overlap = {};  ///< silhouette overlap in both
    /// Whether both have scores, with Chamfer distances and F(τ) within 1 % of the first's.
    bool isWithinTolerance = false;
    /// Maximum distance between the two meshes; nullopt without a finite one.
    std::optional<double> distance = {};

    double fDifference() const { return f ? f->second - f->first : 0; }
};

/// Comparison of the samples of a category, or of all.
struct ComparedGroup {
    std::string category;  ///< empty: all
    std::string name;      ///< "airplane"; "all"
    std::size_t sampleCount = 0;
    std::vector<ComparedMeasure> measures;  ///< in the order of the table

    /// A measure, or its column; null if not measured in both runs.
    const ComparedMeasure* find(std::string_view key) const;
    const PairedColumn* column(std::string_view key) const;
};

/// Circumstance that a reader of a comparison has to know.
struct Remark {
    enum class Kind {
        missing,   ///< samples that only one run has done
        settings,  ///< the runs differ in other settings than the fit
        fit,       ///< the runs differ only in the fit
        machines,  ///< times of other machines, GPUs or numbers of threads
        truth,     ///< truths of other numbers of points
    };
    Kind kind = Kind::missing;
    std::string text;  ///< a sentence
};

/// Result of compareRuns().
struct Comparison {
    Protocol protocol = Protocol::published;
    std::size_t onlyInFirstCount = 0;  ///< samples done in the first run only
    std::vector<SamplePair> pairs;     ///< by difference of F(τ), then by distance; largest first
    ComparedGroup all;
    std::vector<ComparedGroup> categories;
    std::vector<SpeedUp> times;  ///< network, then its run steps; empty without times of both runs
    RunTimes firstTimes;         ///< of the first run
    RunTimes secondTimes;
    /// Whether only one run was fitted: fits slow the network, which runs at the same time, so the
    /// network's times are not comparable.
    bool isOnlyOneFitted = false;
    std::optional<MeshDistances> meshes;
    std::vector<Remark> remarks;  ///< in the order of Remark::Kind, at most two `missing`

    /// Minimum of the correlations of Chamfer distance and F(τ), in percent.
    std::optional<double> agreement() const;
    std::size_t withinToleranceCount() const;  ///< pairs with SamplePair::isWithinTolerance
    /// Which run is better, by which measures, in a sentence that calls the first run A and the
    /// second B: "B is better by F(τ); not shown to differ by Chamfer distance".
    std::string verdict() const;
    /// Speed of the second run's network against the first's, in a sentence; empty unless both runs
    /// have times.
    std::string timeVerdict() const;
};

/// Compares two runs. Throws InputError without scores under the protocol, or without common
/// samples; exceptions of `mesh` propagate.
Comparison compareRuns(const ComparedRun& first, const ComparedRun& second,
                       Protocol protocol = Protocol::published);

}  // namespace threefold
