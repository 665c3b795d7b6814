#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/bench/bench.h"
#include "app/bench/bench_samples.h"
#include "app/bench/device_report.h"
#include "app/bench/rates.h"
#include "app/configuration/number_range.h"
#include "app/options/add_option.h"
#include "app/options/model_options.h"
#include "engine/network/cuda_plugin.h"
#include "engine/sample/sample_views.h"

namespace threefold {
namespace {

constexpr const char* kKernelsExamples =
    R"(Times each step of a reconstruction by itself, on a GPU: kernels, copies, and calls of NVIDIA's
libraries, in the order in which they run. Each becomes a CUDA graph of its own that is replayed
while nothing else runs; the graph of a short step repeats it up to ten times. "median µs" is the
time of one repetition. "nodes" is the number of nodes that the step has in the CUDA graph of a
whole mesh. GB/s is the step's minimum memory traffic divided by its time. Data that fit into the
GPU's caches do not go through memory, so the figure may exceed the memory's peak rate. Copies from
and to the host are bound by the bus.

Examples:
  threefold bench kernels --precision float16
  threefold bench kernels --kernels library --batch 8 --json-lines)";

struct KernelsBenchOptions {
    std::string sample;
    std::size_t batch = 1;
    int runs = 50;
};

BenchRow benchRow(const CapturedStep& step, const GpuPeakRates& peakRates) {
    constexpr double kMicrosecondsInMillisecond = 1000;
    constexpr double kMega = 1e6;
    constexpr double kGiga = 1e9;
    const double flopRate = teraflops(step.flop, step.milliseconds);
    const double byteRate = gigabytesPerSecond(step.minTrafficBytes, step.milliseconds);
    BenchRow row;
    row.addLabel("stage", fmt::format("{:<10}", step.runStep));
    row.addNumber("median µs",
                  fmt::format("{:.2f}", kMicrosecondsInMillisecond * step.milliseconds));
    row.addNumber("nodes", std::to_string(step.nodeCount));
    row.addNumber("     MB", fmt::format("{:.3f}", step.minTrafficBytes / kMega));
    row.addNumber("  GFLOP", step.flop > 0 ? fmt::format("{:.3f}", step.flop / kGiga) : "");
    addRates(row, flopRate, byteRate, peakRates, 2);
    row.addLabel("step", step.name);
    row.json = {{"stage", step.runStep},
                {"step", step.name},
                {"nodes", step.nodeCount},
                {"medianMs", step.milliseconds},
                {"minTrafficBytes", step.minTrafficBytes},
                {"stepFlop", step.flop},
                {"teraflops", flopRate},
                {"ofPeakProducts", flopRate / peakRates.teraflops},
                {"gigabytesPerSecond", byteRate},
                {"ofPeakCopies", byteRate / peakRates.gigabytesPerSecond}};
    return row;
}

BenchReport runKernels(const KernelsBenchOptions& options, const ModelOptions& model,
                       const std::stop_token& cancel, const BenchProgress& progress) {
    const Sample sample = chosenSample(options.sample);
    const auto [gpu, weights, cuda] = chosenGpu(model);
    const GpuPeakRates peakRates = cudaPlugin().peakRates(cuda.device, cuda.precision);
    const char* kernels = cuda.tuning.libraryKernels ? "library" : "fused";

    BenchReport report;
    report.heading = fmt::format("{} · {} · {} kernels\n{}{}, batch of {}, median of {} replays\n",
                                 gpu.name, precisionName(cuda.precision), kernels, gpuText(gpu),
                                 sample.name(), options.batch, options.runs);
    report.jsonHeader = {{"threefold", THREEFOLD_VERSION},
                         {"precision", precisionName(cuda.precision)},
                         {"kernels", kernels},
                         {"modelSha256", weights->hash},
                         {"device", gpuJson(gpu)},
                         {"sample", sample.name()},
                         {"batch", options.batch},
                         {"runs", options.runs}};
    addPeakRates(report.jsonHeader, peakRates);
    report.rowsKey = "steps";
    const std::vector<NetworkInput> inputs(options.batch, loadViews(sample, kPublishedViews));
    double sum = 0;
    const auto add = [&](const CapturedStep& step) {
        report.rows.push_back(benchRow(step, peakRates));
        sum += step.milliseconds;
        progress(report);
    };
    cudaPlugin().timeSteps(weights, cuda, inputs, options.runs, add, cancel);
    report.remarks =
        fmt::format("\n{} steps, one after the other: {:.3f} ms\n", report.rows.size(), sum);
    report.jsonFooter["sumMs"] = sum;
    return report;
}

void addOptions(CLI::App& command, KernelsBenchOptions& options) {
    constexpr int kMaxRuns = 100000;
    addValue(command, "--sample", options.sample, "SAMPLE",
             "Sample; the first bundled one if not given");
    addValue(command, "--batch", options.batch, "N",
             fmt::format("Meshes at once, {} if not given", options.batch))
        ->check(numberValidator(NumberRange::wholeNumber(1, kMaxUsefulBatchSize)));
    addValue(command, "--runs", options.runs, "N",
             fmt::format("Replays of each step, {} if not given", options.runs))
        ->check(numberValidator(NumberRange::wholeNumber(1, kMaxRuns)));
}

}  // namespace

extern const Bench kKernelsBench{"kernels", "Each step of a reconstruction by itself, on a GPU",
                                 kKernelsExamples, true,
                                 prepared<KernelsBenchOptions, addOptions, runKernels>};

}  // namespace threefold
