#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace threefold {

/// Statistics of a column of numbers.
struct Statistics {
    std::size_t count = 0;
    double mean = 0;
    double median = 0;             ///< the middle value, or the mean of the two middle values
    double standardDeviation = 0;  ///< with the divisor n − 1; 0 for one value
    double min = 0;
    double max = 0;
    double p95 = 0;  ///< nearest rank
    /// 95 % bootstrap interval of the mean (Efron 1979): percentiles 2.5 and 97.5 (nearest rank) of
    /// the means of kResampleCount resamples. The seed is fixed: equal values in equal order give
    /// equal intervals, on any number of threads.
    double intervalLow = 0;
    double intervalHigh = 0;

    /// Minimum number of values for an interval. With fewer values, `intervalLow` and
    /// `intervalHigh` are the smallest and the largest value.
    static constexpr std::size_t kMinIntervalCount = 4;
    bool hasInterval() const { return count >= kMinIntervalCount; }
};

/// Resamples of a bootstrap interval.
inline constexpr std::size_t kResampleCount = 10'000;

/// Computes the statistics of each column; nullopt without values. Values must be finite. Sums are
/// compensated, in double precision and in the given order. Thread-safe. Columns of equal length
/// share resamples, computed on the process's threads: 30 columns of 1000 values take some tens of
/// milliseconds on two threads.
std::vector<std::optional<Statistics>> statisticsOf(std::span<const std::vector<double>> columns);

}  // namespace threefold
