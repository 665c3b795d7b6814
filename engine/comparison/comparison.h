#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/comparison/mesh_distances.h"
#include "engine/measures/measure_table.h"
#include "engine/numerics/statistics.h"

/// Comparison of two runs over the same samples, for `threefold compare`. Statistics cover samples
/// that both runs have done, paired by name. Each sample counts with its fitted mesh if there is
/// one, else with the network's result.
namespace threefold {

/// A number of a sample in both runs.
struct PairedValue {
    double first = 0;
    double second = 0;
    double difference() const { return second - first; }
};

/// Statistics of one number per sample, in both runs.
struct PairedStatistics {
    Statistics first;
    Statistics second;
    Statistics difference;  ///< second − first, sample by sample
    /// Pearson correlation. 1 if the runs are equal. Otherwise nullopt if one run's values are
    /// constant, or with fewer than kMinCorrelationCount samples.
    std::optional<double> correlation;
    std::size_t similarCount = 0;  ///< samples with a difference of at most 1 % of the first value
    std::size_t higherCount = 0;   ///< samples where the second value is larger by more than 1 %
    std::size_t lowerCount = 0;    ///< samples where the second value is smaller by more than 1 %

    /// Minimum number of samples for a correlation: two samples always correlate perfectly.
    static constexpr std::size_t kMinCorrelationCount = 3;
    /// Minimum number of samples for a conclusion. With fewer, the bootstrap interval is too
    /// narrow: four random differences all have the same sign in one of eight cases. report.html
    /// needs as many samples.
    static constexpr std::size_t kMinConclusionCount = 8;

    /// Whether the interval of the mean difference excludes zero. Always false with fewer samples
    /// than kMinConclusionCount.
    bool differs() const {
        return difference.count >= kMinConclusionCount &&
               (difference.intervalLow > 0 || difference.intervalHigh < 0);
    }
};

/// Whether `second` differs from `first` by at most 1 % of `first`.
bool isSimilar(double first, double second);

/// One measure in both runs.
struct ComparedMeasure {
    const MeasureDescription* measure = nullptr;
    PairedStatistics statistics;

    /// Whether the second run is better in the mean; nullopt unless statistics.differs().
    std::optional<bool> secondIsBetter() const;
    /// Number of samples in which the second run is better, or worse, by more than 1 % of the first
    /// value.
    std::size_t betterCount() const;
    std::size_t worseCount() const;
};

/// Speed-up of the second run: geometric mean of the samples' ratios of times, first ÷ second, with
/// its 95 % bootstrap interval (see Statistics).
struct SpeedUp {
    std::string key;    ///< "network", "cnn1"
    std::string title;  ///< displayed name, a few words
    Statistics first;   ///< milliseconds
    Statistics second;
    double ratio = 1;
    double intervalLow = 1;
    double intervalHigh = 1;
};

/// Times of one run's compared samples, in milliseconds. All members are nullopt unless all samples
/// were timed.
struct RunTimeStatistics {
    std::optional<Statistics> network;  ///< both stages alone, SampleTimes::network
    std::optional<Statistics> total;    ///< preprocessing and network: from pixels to mesh
    std::optional<Statistics> fit;      ///< times of the fits, over the samples that were fitted
};

/// A sample in both runs.
struct SamplePair {
    std::size_t firstRecordIndex = 0;  ///< index of the record in the first run
    std::size_t secondRecordIndex = 0;
    std::optional<PairedValue> fScore = {};   ///< F(τ) in both, %
    std::optional<PairedValue> chamfer = {};  ///< Chamfer distance in both
    std::optional<PairedValue> overlap = {};  ///< silhouette overlap in both
    /// Whether both runs have scores of the sample, and both Chamfer distance and F(τ) are similar
    /// (isSimilar()).
    bool isSimilar = false;
    /// Maximum distance between the two meshes; nullopt without a finite distance.
    std::optional<double> maxMeshDistance = {};

    double fScoreDifference() const { return fScore ? fScore->difference() : 0; }
};

/// Comparison of the samples of a category, or of all.
struct ComparedGroup {
    std::string category;  ///< empty: all
    std::string name;      ///< "airplane"; "all"
    std::size_t sampleCount = 0;
    /// Measures with values, in the order of truthMeasures(), then silhouetteMeasures().
    std::vector<ComparedMeasure> measures;

    /// A measure, or its statistics; null if not measured in both runs.
    const ComparedMeasure* find(std::string_view key) const;
    const PairedStatistics* statisticsOf(std::string_view key) const;
};

/// Circumstance that a reader of a comparison has to know.
struct ComparisonRemark {
    enum class Kind {
        missing,   ///< samples that only one run has done
        settings,  ///< the runs differ in other settings than the fit
        fit,       ///< the runs differ only in the fit
        machines,  ///< times were measured on different machines, GPUs or numbers of threads
        truth,     ///< a sample's truths differ in their number of points or their content
    };
    Kind kind = Kind::missing;
    std::string text;  ///< a sentence
};

/// Comparison of two runs, as compareRuns() makes it.
struct Comparison {
    Protocol protocol = Protocol::published;
    std::size_t onlyInFirstCount = 0;  ///< samples done in the first run only
    /// Sorted by absolute difference of F(τ), then by mesh distance; largest first.
    std::vector<SamplePair> pairs;
    ComparedGroup all;
    std::vector<ComparedGroup> categories;
    /// Speed-ups of the network, then of its run steps; empty without times of both runs.
    std::vector<SpeedUp> speedUps;
    RunTimeStatistics firstTimes;  ///< of the first run
    RunTimeStatistics secondTimes;
    /// Whether only one run was fitted. If so, the network's times are not comparable: fits run at
    /// the same time as the network, and slow it.
    bool isOnlyOneFitted = false;
    std::optional<MeshDistances> meshes;
    std::vector<ComparisonRemark>
        remarks;  ///< in the order of ComparisonRemark::Kind, at most two `missing`

    /// Smaller one of the correlations of Chamfer distance and F(τ), in percent; nullopt unless
    /// both are known.
    std::optional<double> minCorrelationPercent() const;
    std::size_t similarCount() const;  ///< pairs with SamplePair::isSimilar
};

}  // namespace threefold
