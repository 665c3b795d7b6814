#include "app/bench/ops.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <glm/geometric.hpp>

#include "app/bench/latency.h"
#include "engine/error.h"
#include "engine/mesh.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

constexpr double kMedian = 0.5;
constexpr double kHigh = 0.95;
constexpr float kRadius = 0.25F;  // of the method's objects, about

/// Points on a sphere, flattened a little differently for each seed.
Points shell(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    // Not std::normal_distribution, whose values differ between libraries.
    const auto uniform = [&random] {
        return static_cast<float>(random()) / static_cast<float>(std::mt19937::max()) * 2 - 1;
    };
    const glm::vec3 radii = kRadius * glm::vec3(1, 1 - 0.05F * static_cast<float>(seed % 8), 1);
    Points points;
    while (points.size() < count) {
        const glm::vec3 p(uniform(), uniform(), uniform());
        const float length = glm::length(p);
        constexpr float kShortest = 0.1F;
        if (length > kShortest && length < 1) points.push_back(radii * (p / length));
    }
    return points;
}

/// Owns the clouds of a batch.
struct Clouds {
    explicit Clouds(const OpsOptions& options) {
        for (int i = 0; i < options.batch; ++i) {
            const auto seed = static_cast<unsigned>(2 * i);
            points.push_back(shell(options.first, seed));
            points.push_back(shell(options.second, seed + 1));
        }
        for (std::size_t i = 0; i < points.size(); i += 2) {
            pairs.push_back({points[i], points[i + 1]});
        }
    }

    std::vector<Points> points;
    std::vector<CloudPair> pairs;
};

/// Calls work() again and again; it returns the milliseconds that it says it took.
template <class Work>
void timeRuns(OpRow& row, const OpsOptions& options, const std::stop_token& cancel, Work work) {
    std::vector<double> inside;
    std::vector<double> around;
    for (int i = -options.warmup; i < options.runs; ++i) {
        if (cancel.stop_requested()) throw Cancelled();
        const Stopwatch watch;
        const double milliseconds = work();
        if (i < 0) continue;
        around.push_back(watch.milliseconds());
        inside.push_back(milliseconds);
    }
    row.medianMs = quantile(inside, kMedian);
    row.p95Ms = quantile(inside, kHigh);
    row.callMs = quantile(around, kMedian);
}

/// Pairs of points over the batch.
double pairCount(const OpsOptions& options) {
    return static_cast<double>(options.first) * static_cast<double>(options.second) * options.batch;
}

double pointCount(const OpsOptions& options) {
    return static_cast<double>(options.first + options.second) * options.batch;
}

double largestDifference(const Nearest& found, const Nearest& expected) {
    double largest = 0;
    for (std::size_t i = 0; i < expected.squaredDistance.size(); ++i) {
        largest =
            std::max(largest, std::abs(found.squaredDistance[i] - expected.squaredDistance[i]));
    }
    return largest;
}

OpRow nearestRow(Backend& backend, const Clouds& clouds, const OpsOptions& options,
                 const std::stop_token& cancel) {
    OpRow row;
    row.name = "nearest";
    row.description = "Nearest neighbours both ways, distances and indices";
    timeRuns(row, options, cancel, [&] { return backend.nearest(clouds.pairs).milliseconds; });
    constexpr double kFlopOfPair = 8;  // one distance serves both ways
    constexpr double kBytesOfPoint = 3 * sizeof(float) + sizeof(float) + sizeof(std::uint32_t);
    row.flop = pairCount(options) * kFlopOfPair;
    row.bytes = pointCount(options) * kBytesOfPoint;
    const NearestBatch found = backend.nearest(clouds.pairs);
    const NearestBatch expected = nearestBothWays(clouds.pairs);
    constexpr double kExtent = 2.0 * kRadius;
    for (std::size_t i = 0; i < clouds.pairs.size(); ++i) {
        const NearestPair& a = found.pairs[i];
        const NearestPair& b = expected.pairs[i];
        row.error = std::max({row.error, largestDifference(a.firstToSecond, b.firstToSecond),
                              largestDifference(a.secondToFirst, b.secondToFirst)});
    }
    row.error /= kExtent * kExtent;
    return row;
}

OpRow matchingRow(Backend& backend, const Clouds& clouds, const OpsOptions& options,
                  const std::stop_token& cancel) {
    const MatchingSchedule schedule;
    OpRow row;
    row.name = "matching";
    row.description = "Earth mover's matching, cost and bound";
    timeRuns(row, options, cancel,
             [&] { return backend.match(clouds.pairs, schedule).milliseconds; });
    // Each pass over all pairs: 9 for the distance, 3 to the exponent, the exponential and its sum.
    constexpr double kFlopOfPair = 14;
    constexpr double kPassesOfIteration = 2;
    constexpr double kOtherPasses = 2 + 3 * (kFillSteps + 1);
    const double iterations =
        schedule.coolingIterations * (kLastTemperatureShift - kFirstTemperatureShift) +
        schedule.finalIterations;
    row.flop = pairCount(options) * kFlopOfPair * (kPassesOfIteration * iterations + kOtherPasses);
    row.bytes = pointCount(options) * 3 * sizeof(float);
    const MatchingBatch found = backend.match(clouds.pairs, schedule);
    const MatchingBatch expected = approximateMatchings(clouds.pairs, schedule);
    constexpr double kExtent = 2.0 * kRadius;
    for (std::size_t i = 0; i < clouds.pairs.size(); ++i) {
        const Matching& matching = found.pairs[i];
        row.error = std::max(row.error, std::abs(matching.cost - expected.pairs[i].cost) / kExtent);
        row.gapOfCost = std::max(row.gapOfCost, matching.gap() / matching.cost);
    }
    return row;
}

}  // namespace

double OpRow::teraflops() const {
    constexpr double kFlopInTeraflopMillisecond = 1e9;
    return medianMs > 0 ? flop / (medianMs * kFlopInTeraflopMillisecond) : 0;
}

double OpRow::gigabytesPerSecond() const {
    constexpr double kBytesInGigabyteMillisecond = 1e6;
    return medianMs > 0 ? bytes / (medianMs * kBytesInGigabyteMillisecond) : 0;
}

std::vector<OpRow> measureOps(Backend& backend, const OpsOptions& options,
                              const std::stop_token& cancel) {
    const Clouds clouds(options);
    return {nearestRow(backend, clouds, options, cancel),
            matchingRow(backend, clouds, options, cancel)};
}

}  // namespace threefold
