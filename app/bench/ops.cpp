#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "app/bench/bench.h"
#include "app/bench/device_report.h"
#include "app/bench/rates.h"
#include "app/configuration/number_range.h"
#include "app/options/add_option.h"
#include "app/options/model_options.h"
#include "engine/error.h"
#include "engine/mesh.h"
#include "engine/order_statistics.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

constexpr const char* kOpsExamples =
    R"(Nearest neighbours both ways and the earth mover's matching, by default between a mesh's 2466
vertices and a ground truth of 6500 points. "median ms" is the computation alone, "call ms" includes
transfers. On a GPU the results are compared with the processor's, relative to the clouds' size, and
the rates stand beside the device's measured peak rates in float32. "gap" bounds how far the
matching's cost can lie above the optimum, as a fraction of that cost.

Examples:
  threefold bench ops --backend cpu --runs 3
  threefold bench ops --backend cuda --runs 200 --warmup 15 --json)";

struct OpsBenchOptions {
    int runs = 20;
    int warmup = 3;
    std::size_t first = 2466;   ///< points: vertices of a mesh
    std::size_t second = 6500;  ///< points: a ground truth
    int batch = 1;              ///< pairs of clouds in one call
};

/// Result of one operation on clouds.
struct OpRow {
    std::string name;
    std::string description;
    double medianMs = 0;  ///< computation without transfers, see NeighbourResults
    double p95Ms = 0;
    double callMs = 0;     ///< median of the whole call, with transfers and waiting
    double flop = 0;       ///< operations on all pairs of points; exponentials and roots count 1
    double bytes = 0;      ///< clouds read and results written, each once
    double error = 0;      ///< largest difference from the processor's result, relative to the
                           ///< squared extent (nearest) or the extent (matching)
    double gapOfCost = 0;  ///< matching: gap ÷ cost, the largest of the batch
};

constexpr float kRadius = 0.25F;  // approximate radius of the method's objects
constexpr double kExtent = 2.0 * kRadius;

/// Points on a sphere, flattened a little differently for each seed.
Points flattenedSphere(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    // std::normal_distribution is not used: its values differ between libraries.
    const auto uniform = [&random] {
        return static_cast<float>(random()) / static_cast<float>(std::mt19937::max()) * 2 - 1;
    };
    const glm::vec3 radii = kRadius * glm::vec3(1, 1 - 0.05F * static_cast<float>(seed % 8), 1);
    Points points;
    while (points.size() < count) {
        const glm::vec3 p(uniform(), uniform(), uniform());
        const float length = glm::length(p);
        constexpr float kMinLength = 0.1F;
        if (length > kMinLength && length < 1) points.push_back(radii * (p / length));
    }
    return points;
}

/// Owns the clouds of a batch.
struct Clouds {
    explicit Clouds(const OpsBenchOptions& options) {
        for (int i = 0; i < options.batch; ++i) {
            const auto seed = static_cast<unsigned>(2 * i);
            points.push_back(flattenedSphere(options.first, seed));
            points.push_back(flattenedSphere(options.second, seed + 1));
        }
        for (std::size_t i = 0; i < points.size(); i += 2)
            pairs.push_back({points[i], points[i + 1]});
    }

    std::vector<Points> points;
    std::vector<CloudPair> pairs;
};

/// Times repeated calls of `work`, which returns the milliseconds of its computation.
template <class Work>
void timeRuns(OpRow& row, const OpsBenchOptions& options, const std::stop_token& cancel,
              Work work) {
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
    row.medianMs = *medianOf(inside);
    row.p95Ms = *quantile(inside, 0.95);
    row.callMs = *medianOf(around);
}

double pairCount(const OpsBenchOptions& options) {
    return static_cast<double>(options.first) * static_cast<double>(options.second) * options.batch;
}
double pointCount(const OpsBenchOptions& options) {
    return static_cast<double>(options.first + options.second) * options.batch;
}

/// The larger error. NaN counts as infinite: a device that returns NaN is wrong.
double largerError(double a, double b) {
    return std::max(a, std::isnan(b) ? std::numeric_limits<double>::infinity() : b);
}

double largestDifference(const Neighbours& result, const Neighbours& expected) {
    double largest = 0;
    for (std::size_t i = 0; i < expected.squaredDistances.size(); ++i)
        largest = largerError(largest,
                              std::abs(result.squaredDistances[i] - expected.squaredDistances[i]));
    return largest;
}

OpRow nearestRow(MeshOperations& device, const Clouds& clouds, const OpsBenchOptions& options,
                 const std::stop_token& cancel) {
    OpRow row{"nearest", "Nearest neighbours both ways, distances and indices"};
    timeRuns(row, options, cancel,
             [&] { return device.nearestNeighbours(clouds.pairs).milliseconds; });
    constexpr double kFlopOfPair = 8;  // one distance serves both ways
    constexpr double kBytesOfPoint = 3 * sizeof(float) + sizeof(float) + sizeof(std::uint32_t);
    row.flop = pairCount(options) * kFlopOfPair;
    row.bytes = pointCount(options) * kBytesOfPoint;
    const NeighbourResults result = device.nearestNeighbours(clouds.pairs);
    const NeighbourResults expected = bidirectionalNeighbours(clouds.pairs);
    for (std::size_t i = 0; i < clouds.pairs.size(); ++i) {
        const BidirectionalNeighbours& a = result.pairs[i];
        const BidirectionalNeighbours& b = expected.pairs[i];
        row.error = std::max({row.error, largestDifference(a.firstToSecond, b.firstToSecond),
                              largestDifference(a.secondToFirst, b.secondToFirst)});
    }
    row.error /= kExtent * kExtent;
    return row;
}

OpRow matchingRow(MeshOperations& device, const Clouds& clouds, const OpsBenchOptions& options,
                  const std::stop_token& cancel) {
    const SinkhornSchedule schedule;
    OpRow row{"matching", "Earth mover's matching, cost and bound"};
    timeRuns(row, options, cancel,
             [&] { return device.earthMoversDistances(clouds.pairs, schedule).milliseconds; });
    // Operations per pair of points and pass: 9 for the distance, 3 for the exponent, then the
    // exponential and its sum.
    constexpr double kFlopOfPair = 14;
    constexpr double kPassesOfIteration = 2;
    constexpr double kOtherPasses = 2 + 3 * (kPlacementSteps + 1);
    const double iterations =
        schedule.coolingIterations * (kLastTemperatureShift - kFirstTemperatureShift) +
        schedule.finalIterations;
    row.flop = pairCount(options) * kFlopOfPair * (kPassesOfIteration * iterations + kOtherPasses);
    row.bytes = pointCount(options) * 3 * sizeof(float);
    const TransportResults result = device.earthMoversDistances(clouds.pairs, schedule);
    const TransportResults expected = sinkhornDistances(clouds.pairs, schedule);
    for (std::size_t i = 0; i < clouds.pairs.size(); ++i) {
        const EarthMoversDistance& matching = result.pairs[i];
        row.error = largerError(row.error,
                                std::abs(matching.distance - expected.pairs[i].distance) / kExtent);
        row.gapOfCost = largerError(row.gapOfCost, matching.gap() / matching.distance);
    }
    return row;
}

BenchRow benchRow(const OpRow& op, const std::optional<GpuPeakRates>& peakRates) {
    const auto milliseconds = [](double value) { return fmt::format("{:.4f}", value); };
    const double flopRate = teraflops(op.flop, op.medianMs);
    const double byteRate = gigabytesPerSecond(op.bytes, op.medianMs);
    BenchRow row;
    row.addLabel("op", op.name);
    row.addNumber("median ms", milliseconds(op.medianMs));
    row.addNumber("p95 ms", milliseconds(op.p95Ms));
    row.addNumber("call ms", milliseconds(op.callMs));
    row.addNumber("gap", op.gapOfCost > 0 ? fmt::format("{:.2f} %", 100 * op.gapOfCost) : "");
    if (peakRates) {
        addRates(row, flopRate, byteRate, *peakRates, 3);
        row.addNumber("error", fmt::format("{:.1e}", op.error));
    }
    row.addLabel("", op.description);
    row.json = {{"op", op.name},         {"medianMs", op.medianMs},
                {"p95Ms", op.p95Ms},     {"callMs", op.callMs},
                {"flop", op.flop},       {"bytes", op.bytes},
                {"teraflops", flopRate}, {"gigabytesPerSecond", byteRate},
                {"error", op.error},     {"gapOfCost", op.gapOfCost}};
    return row;
}

BenchReport runOps(const OpsBenchOptions& options, const ModelOptions& model,
                   const std::stop_token& cancel, const BenchProgress&) {
    const OpenedNetwork opened = openNetwork(model);
    const Clouds clouds(options);
    const auto ops = opened.network->withDevice([&](Backend& backend) {
        MeshOperations& device = backend.meshOperations();
        return std::array{nearestRow(device, clouds, options, cancel),
                          matchingRow(device, clouds, options, cancel)};
    });
    const auto peakRates = measurePeakRates(opened, model, Precision::float32);
    BenchReport report = reportOn(opened, "ops");
    report.heading += fmt::format("{} pair{} of {} and {} points, {} runs after {} to warm up\n",
                                  options.batch, options.batch == 1 ? "" : "s", options.first,
                                  options.second, options.runs, options.warmup);
    report.jsonHeader["pairs"] = options.batch;
    report.jsonHeader["points"] = {options.first, options.second};
    report.jsonHeader["runs"] = options.runs;
    report.jsonHeader["warmup"] = options.warmup;
    for (const OpRow& op : ops) report.rows.push_back(benchRow(op, peakRates));
    addPeakRates(report.jsonFooter, peakRates);
    return report;
}

void addOptions(CLI::App& command, OpsBenchOptions& options) {
    constexpr int kMaxBatch = 4096;
    constexpr std::size_t kMaxPoints = 1U << 20;
    addRunOptions(command, options.runs, options.warmup);
    addValue(command, "--batch", options.batch, "N",
             fmt::format("Pairs of point clouds in one call; {} if not given", options.batch))
        ->check(numberValidator(NumberRange::wholeNumber(1, kMaxBatch)));
    addValue(command, "--first", options.first, "N",
             fmt::format("Points of the first cloud, {} if not given", options.first))
        ->check(numberValidator(NumberRange::wholeNumber(1, kMaxPoints)));
    addValue(command, "--second", options.second, "N",
             fmt::format("Points of the second cloud, {} if not given", options.second))
        ->check(numberValidator(NumberRange::wholeNumber(1, kMaxPoints)));
}

}  // namespace

extern const Bench kOpsBench{"ops", "Searches and matching between point clouds", kOpsExamples,
                             true, prepared<OpsBenchOptions, addOptions, runOps>};

}  // namespace threefold
