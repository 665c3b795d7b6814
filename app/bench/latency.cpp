#include "app/bench/latency.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/error.h"
#include "engine/network/roofline.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

constexpr double kMedian = 0.5;
constexpr double kHigh = 0.95;
constexpr int kProductRepeats = 5;

struct Run {
    StageTimings timings;
    double networkMs;
};

/// Milliseconds of each run, by stage and in sum.
struct Times {
    std::map<Stage, std::vector<double>> stages;
    std::vector<double> network;

    void add(const Run& run) {
        for (const StageTiming& timing : run.timings) {
            stages[timing.stage].push_back(timing.milliseconds);
        }
        network.push_back(run.networkMs);
    }
};

Run runOnce(Backend& backend, const Sample& sample, const LatencyOptions& options,
            const std::stop_token& cancel) {
    const Stopwatch watch;
    const NetworkInput input = loadViews(sample, options.views);
    const double load = watch.milliseconds();
    RunOptions run;
    run.cancel = cancel;
    const Reconstruction meshes = backend.reconstruct(input, run);
    Run result{{{Stage::load, load}}, meshes.milliseconds()};
    result.timings.insert(result.timings.end(), meshes.timings.begin(), meshes.timings.end());
    return result;
}

LatencyRow rowOf(std::string_view name, std::string_view description,
                 const std::vector<double>& milliseconds) {
    LatencyRow row;
    row.name = name;
    row.description = description;
    row.medianMs = quantile(milliseconds, kMedian);
    row.p95Ms = quantile(milliseconds, kHigh);
    return row;
}

std::size_t bytesPerValue(Precision precision) {
    return precision == Precision::float32 || precision == Precision::tfloat32 ? 4 : 2;
}

void setProducts(LatencyRow& row, double gigaflops) {
    constexpr double kFlopInGigaflopMillisecond = 1e6;
    if (row.multiplyAddFlop > 0) {
        row.productsMs = row.multiplyAddFlop / (gigaflops * kFlopInGigaflopMillisecond);
    }
}

}  // namespace

std::optional<double> LatencyRow::ratio() const {
    if (!productsMs) return std::nullopt;
    return medianMs / *productsMs;
}

double LatencyRow::teraflops() const {
    constexpr double kFlopInTeraflopMillisecond = 1e9;
    return medianMs > 0 ? multiplyAddFlop / (medianMs * kFlopInTeraflopMillisecond) : 0;
}

double LatencyRow::gigabytesPerSecond() const {
    constexpr double kBytesInGigabyteMillisecond = 1e6;
    return medianMs > 0 ? leastBytes / (medianMs * kBytesInGigabyteMillisecond) : 0;
}

double quantile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return std::lerp(values[below], values[above], place - static_cast<double>(below));
}

LatencyResult measureLatency(Backend& backend, const Sample& sample, const LatencyOptions& options,
                             const std::stop_token& cancel) {
    for (int i = 0; i < options.warmup; ++i) runOnce(backend, sample, options, cancel);
    LatencyResult result;
    // The products are timed before and after, and the faster rate counts: a machine that slows
    // down in between must not make the network look better than it is.
    if (options.roofline) {
        result.gigaflops = measureProductRate(options.threads, kProductRepeats).gigaflops;
    }
    Times times;
    for (int i = 0; i < options.runs; ++i) times.add(runOnce(backend, sample, options, cancel));
    if (options.roofline) {
        if (cancel.stop_requested()) throw Cancelled();
        result.gigaflops = std::max(result.gigaflops,
                                    measureProductRate(options.threads, kProductRepeats).gigaflops);
    }

    result.network = rowOf("network", "All stages but load", times.network);
    // Counted apart from the times: a backend need not time its stages.
    for (const Stage stage : kAllStages) {
        LatencyRow work;
        work.multiplyAddFlop = multiplyAddFlop(backend.model(), stage, options.views.size());
        work.leastBytes = leastBytes(backend.model(), stage, options.views.size(),
                                     bytesPerValue(backend.precision()));
        result.network.multiplyAddFlop += work.multiplyAddFlop;
        result.network.leastBytes += work.leastBytes;
        const auto timed = times.stages.find(stage);
        if (timed == times.stages.end()) continue;
        LatencyRow row = rowOf(stageName(stage), stageDescription(stage), timed->second);
        row.multiplyAddFlop = work.multiplyAddFlop;
        row.leastBytes = work.leastBytes;
        if (options.roofline) setProducts(row, result.gigaflops);
        result.stages.push_back(std::move(row));
    }
    if (options.roofline) setProducts(result.network, result.gigaflops);
    return result;
}

}  // namespace threefold
