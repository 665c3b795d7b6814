#include "engine/numerics/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>

#include "engine/compute/parallel.h"
#include "engine/order_statistics.h"
#include "engine/profile/stopwatch.h"
#include "engine/random_numbers.h"

// Uses AVX2 if available: 1.7 times as fast. Not with sanitizers, as the dispatch would run before
// the sanitizer has started.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !defined(__clang__)
#define THREEFOLD_AVX2_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define THREEFOLD_AVX2_CLONES
#endif

namespace threefold {
namespace {

/// Compensated sum (Neumaier).
class Sum {
  public:
    void add(double value) {
        const double next = sum_ + value;
        compensation_ +=
            std::abs(sum_) >= std::abs(value) ? (sum_ - next) + value : (value - next) + sum_;
        sum_ = next;
    }
    double value() const { return sum_ + compensation_; }

  private:
    double sum_ = 0;
    double compensation_ = 0;
};

double meanOf(std::span<const double> values) {
    Sum sum;
    for (const double value : values) sum.add(value);
    return sum.value() / static_cast<double>(values.size());
}

double deviationOf(std::span<const double> values, double mean) {
    if (values.size() < 2) return 0;
    Sum squares;
    for (const double value : values) squares.add((value - mean) * (value - mean));
    return std::sqrt(squares.value() / static_cast<double>(values.size() - 1));
}

/// Statistics without the interval.
Statistics plainStatistics(std::span<const double> values) {
    Statistics s;
    s.count = values.size();
    s.mean = meanOf(values);
    s.median = *medianOf(values);
    s.standardDeviation = deviationOf(values, s.mean);
    const auto [lowest, highest] = std::ranges::minmax_element(values);
    s.min = *lowest;
    s.max = *highest;
    s.p95 = *quantile(values, 0.95);
    return s;
}

/// Number of columns resampled at once, so that their sums fit in registers.
constexpr std::size_t kColumnsAtOnce = 16;
using Row = std::array<double, kColumnsAtOnce>;

/// Sum of rows.size() rows, drawn with replacement.
THREEFOLD_AVX2_CLONES Row drawnSum(std::span<const Row> rows, std::uint64_t resample) {
    constexpr std::uint64_t kSeed = 0x7468726565666f6cU;
    std::uint64_t random = kSeed ^ (resample << 32);
    const auto count = static_cast<std::uint64_t>(rows.size());
    Row sum{};
    for (std::uint64_t drawn = 0; drawn < count; drawn += 2) {
        // Two draws of 32 bits each, scaled to the range; the bias is at most count / 2³².
        const std::uint64_t bits = splitMix64(random);
        const Row& first = rows[((bits >> 32) * count) >> 32];
        for (std::size_t c = 0; c < kColumnsAtOnce; ++c) sum[c] += first[c];
        if (drawn + 1 == count) break;
        const Row& second = rows[((bits & 0xffffffffU) * count) >> 32];
        for (std::size_t c = 0; c < kColumnsAtOnce; ++c) sum[c] += second[c];
    }
    return sum;
}

struct Column {
    std::span<const double> values;
    Statistics* statistics;
};

/// Fills in the intervals of up to kColumnsAtOnce columns of equal length.
void addIntervals(std::span<const Column> columns) {
    const std::size_t count = columns.front().values.size();
    // Differences from the mean, so that equal values have an interval of zero width.
    std::vector<Row> rows(count, Row{});
    for (std::size_t c = 0; c < columns.size(); ++c)
        for (std::size_t i = 0; i < count; ++i)
            rows[i][c] = columns[c].values[i] - columns[c].statistics->mean;
    std::vector<Row> sums(kResampleCount);
    for (std::size_t r = 0; r < kResampleCount; ++r) sums[r] = drawnSum(rows, r);
    constexpr double kLowFraction = 0.025;
    constexpr double kHighFraction = 0.975;
    std::vector<double> means(kResampleCount);
    for (std::size_t c = 0; c < columns.size(); ++c) {
        Statistics& s = *columns[c].statistics;
        for (std::size_t r = 0; r < kResampleCount; ++r)
            means[r] = sums[r][c] / static_cast<double>(count);
        s.intervalLow = s.mean + *quantile(means, kLowFraction);
        s.intervalHigh = s.mean + *quantile(means, kHighFraction);
    }
}

}  // namespace

std::vector<std::optional<Statistics>> statisticsOf(std::span<const std::vector<double>> columns) {
    std::vector<std::optional<Statistics>> result(columns.size());
    // The longest columns first, so that no thread starts a long one at the end.
    std::map<std::size_t, std::vector<Column>, std::greater<>> byLength;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        if (columns[c].empty()) continue;
        result[c] = plainStatistics(columns[c]);
        byLength[columns[c].size()].push_back({columns[c], &*result[c]});
    }
    std::vector<std::span<const Column>> chunks;
    std::size_t draws = 0;
    for (const auto& [length, equal] : byLength)
        for (std::size_t first = 0; first < equal.size(); first += kColumnsAtOnce) {
            chunks.push_back(
                std::span(equal).subspan(first, std::min(kColumnsAtOnce, equal.size() - first)));
            draws += length;
        }
    constexpr std::size_t kMinParallelDraws = 500;
    parallelFor(draws > kMinParallelDraws ? resolveThreadCount(0) : 1, chunks.size(), {},
                [&](std::size_t chunk, std::size_t) { addIntervals(chunks[chunk]); });
    return result;
}

}  // namespace threefold
