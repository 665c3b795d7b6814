#include "app/bench/bench_samples.h"
#include "app/bench/device_report.h"
#include "app/bench/throughput_sweep.h"

#include <fmt/format.h>

#include "app/configuration/number_range.h"
#include "app/console/exit_code.h"
#include "app/console/process.h"
#include "app/options/add_option.h"
#include "app/options/model_options.h"
#include "engine/devices/device_error.h"
#include "engine/order_statistics.h"
#include "engine/sample/bundled_samples.h"
#include "engine/sample/sample_views.h"

namespace threefold {
namespace {

constexpr const char* kThroughputExamples =
    R"(Reconstructs batches of samples whose images are already decoded, and counts meshes per second
from views to meshes in main memory. A GPU gets the next batch while it computes the current one:
"median ms" is the time from one batch's end to the next. The processor works through a batch one
sample at a time. --ablate measures a GPU with all of --streams, --graphs and --pinned and, for the
same time, with each of these options switched off, and prints the ratios of the speeds.

Examples:
  threefold bench throughput
  threefold bench throughput --backend cuda --ablate --batches 1,16
  threefold bench throughput --backend cuda --batches 1,8,32,64 --seconds 5 --json)";

struct ThroughputBenchOptions {
    std::string sample;
    ThroughputOptions sweep;  ///< `batches` empty: defaultBatchSizes() of the device
    bool ablate = false;
};

/// Inputs of the named sample, else of all bundled samples, so that batches are mixed.
std::vector<NetworkInput> chosenInputs(const std::string& sample) {
    std::vector<NetworkInput> inputs;
    if (sample.empty()) inputs = bundledQuantisationSamples();
    if (inputs.empty()) inputs.push_back(loadViews(chosenSample(sample), kPublishedViews));
    return inputs;
}

BenchRow benchRow(const ThroughputRow& measured) {
    BenchRow row;
    row.addNumber("batch", std::to_string(measured.batch));
    row.json = {{"batch", measured.batch}, {"runs", measured.runs}};
    const bool ran = measured.runs > 0;
    row.addNumber("batches", ran ? std::to_string(measured.runs) : "");
    row.addNumber("median ms", ran ? fmt::format("{:.2f}", measured.medianMilliseconds) : "");
    row.addNumber("meshes/s", ran ? fmt::format("{:.2f}", measured.meshesPerSecond) : "");
    row.addLabel("", measured.problem);
    if (ran) {
        row.json["medianMs"] = measured.medianMilliseconds;
        row.json["meshesPerSecond"] = measured.meshesPerSecond;
    } else {
        row.json["problem"] = measured.problem;
    }
    return row;
}

constexpr int kAblationRounds = 3;

/// Network with the GPU feature `without` switched off; empty: the network with all features.
struct Ablated {
    const char* without;
    std::unique_ptr<NetworkService> network = nullptr;
    std::vector<double> perSecond = {};  ///< meshes per second in each round
};

/// Alternates between networks round by round, so that all see the same machine conditions.
BenchReport runAblation(const ThroughputBenchOptions& options, const ModelOptions& model,
                        std::span<const NetworkInput> inputs, OpenedNetwork opened,
                        const std::stop_token& cancel, const BenchProgress& progress) {
    BenchReport report = reportOn(opened, "ablations");
    report.jsonHeader["rounds"] = kAblationRounds;
    if (!opened.gpu) {
        report.remarks =
            "--ablate has no effect on the processor: streams, CUDA graphs and page-locked memory "
            "exist only on a GPU\n";
        return report;
    }
    std::vector<Ablated> networks;
    networks.push_back({"", std::move(opened.network)});
    for (const auto& [name, switchOff] : {std::pair<const char*, void (*)(CudaTuning&)>{
                                              "streams", [](CudaTuning& o) { o.streams = 1; }},
                                          {"graphs", [](CudaTuning& o) { o.cudaGraphs = false; }},
                                          {"pinned", [](CudaTuning& o) { o.pinned = false; }}}) {
        ModelOptions other = model;
        switchOff(other.gpu);
        networks.push_back({name, openNetwork(withoutStepTimes(other)).network});
    }
    ThroughputOptions round = options.sweep;
    round.seconds /= kAblationRounds;
    for (const int size : options.sweep.batches) {
        round.batches = {size};
        for (Ablated& each : networks) each.perSecond.clear();
        for (int i = 0; i < kAblationRounds; ++i)
            for (Ablated& each : networks) {
                const ThroughputRow row = measureThroughput(*each.network, inputs, round, cancel,
                                                            [](const ThroughputRow&) {})
                                              .rows.front();
                if (row.runs > 0) each.perSecond.push_back(row.meshesPerSecond);
            }
        for (const Ablated& each : networks) {
            const double all =
                networks.front().perSecond.empty() ? 0 : *medianOf(networks.front().perSecond);
            const double rate = each.perSecond.empty() ? 0 : *medianOf(each.perSecond);
            const double ratio = rate > 0 ? all / rate : 0;
            BenchRow row;
            row.addNumber("batch", std::to_string(size));
            row.addLabel("without", each.without);
            row.addNumber("meshes/s", rate > 0 ? fmt::format("{:.2f}", rate) : "does not fit");
            row.addNumber("gain", ratio > 0 ? fmt::format("{:.3f} ×", ratio) : "");
            row.json = {{"batch", size}, {"without", each.without}, {"meshesPerSecond", rate}};
            if (ratio > 0) row.json["ratio"] = ratio;
            report.rows.push_back(std::move(row));
            progress(report);
        }
    }
    return report;
}

BenchReport runThroughput(ThroughputBenchOptions options, const ModelOptions& model,
                          const std::stop_token& cancel, const BenchProgress& progress) {
    const std::vector<NetworkInput> inputs = chosenInputs(options.sample);
    OpenedNetwork opened = openNetwork(withoutStepTimes(model));
    if (options.sweep.batches.empty())
        options.sweep.batches = defaultBatchSizes(opened.gpu.has_value());
    if (options.ablate)
        return runAblation(options, model, inputs, std::move(opened), cancel, progress);
    BenchReport report = reportOn(opened, "batches");
    report.jsonHeader["views"] = kPublishedViews;
    report.jsonHeader["warmup"] = options.sweep.warmup;
    report.jsonHeader["pending"] = options.sweep.pending > 0
                                       ? options.sweep.pending
                                       : opened.network->info().maxBatchesInFlight;
    const auto add = [&](const ThroughputRow& row) {
        report.rows.push_back(benchRow(row));
        progress(report);
    };
    const ThroughputResult result =
        measureThroughput(*opened.network, inputs, options.sweep, cancel, add);
    const ThroughputRow* best = result.best();
    if (best != nullptr) {
        report.remarks = fmt::format("\nbest: {:.2f} meshes/s in batches of {}\n",
                                     best->meshesPerSecond, best->batch);
        report.jsonFooter["best"] = {{"batch", best->batch},
                                     {"meshesPerSecond", best->meshesPerSecond}};
    }
    report.jsonFooter["peakMemoryMb"] = peakMemoryMegabytes();
    report.exitCode = best != nullptr ? ExitCode::done : ExitCode::failed;
    return report;
}

void addOptions(CLI::App& command, ThroughputBenchOptions& options) {
    constexpr int kMaxBatch = 4096;
    constexpr double kMaxSeconds = 3600;
    constexpr int kMaxWarmup = 1000;
    addValue(command, "--sample", options.sample, "SAMPLE",
             "Sample; all bundled ones if not given");
    addList(command, "--batches", options.sweep.batches, "N,N,...",
            "Batch sizes; if not given, 1 and 2 on the processor, 1 to 64 on a GPU")
        ->check(numberValidator(NumberRange::wholeNumber(1, kMaxBatch)));
    addValue(command, "--seconds", options.sweep.seconds, "S",
             fmt::format("Minimum time for each size, {:g} if not given", options.sweep.seconds))
        ->check(numberValidator(NumberRange::seconds(kMaxSeconds)));
    addValue(command, "--warmup", options.sweep.warmup, "N",
             fmt::format("Warm-up batches, not counted; {} if not given", options.sweep.warmup))
        ->check(numberValidator(NumberRange::wholeNumber(0, kMaxWarmup)));
    addValue(command, "--pending", options.sweep.pending, "N",
             "Batches submitted ahead; the device's maximum if not given. With 1, nothing is "
             "prepared while the device computes")
        ->check(numberValidator(NumberRange::wholeNumber(1, kMaxBatch)));
    command.add_flag(
        "--ablate", options.ablate,
        "Measure what streams, graphs and page-locked memory of a GPU gain, each by itself");
}

}  // namespace

extern const Bench kThroughputBench{"throughput", "Meshes a second, by batch size",
                                    kThroughputExamples, true,
                                    prepared<ThroughputBenchOptions, addOptions, runThroughput>};

}  // namespace threefold
