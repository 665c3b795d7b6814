#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "app/bench/bench.h"
#include "app/bench/bench_samples.h"
#include "app/bench/device_report.h"
#include "app/bench/rates.h"
#include "app/console/process.h"
#include "app/options/add_option.h"
#include "app/options/model_options.h"
#include "app/options/targets.h"
#include "engine/error.h"
#include "engine/network/roofline.h"
#include "engine/order_statistics.h"
#include "engine/profile/stopwatch.h"
#include "engine/sample/sample_views.h"

namespace threefold {
namespace {

constexpr const char* kLatencyExamples =
    R"(Reconstructs one sample again and again. With --roofline, "products" is the time that the same
multiply-adds take as oneDNN float32 products of 106038×192×384 on this machine in the same run.
"%" is the percentage of the summed time of all stages but load. On a GPU, stages are timed by
events and may overlap, and the times of hypothesis blocks include the pooling of image features
(`bench kernels --kernels library` times it by itself).
"network" is the wall time of runs without stage timing, from views to mesh in main memory. The
rates that each stage reaches stand beside the device's measured peak rates. GB/s counts the
minimum that a stage must read and write.

Examples:
  threefold bench latency --runs 50 --roofline
  threefold bench latency --backend cuda --runs 200 --warmup 15 --json)";

constexpr int kProductRepeats = 5;

struct LatencyBenchOptions {
    std::string sample;
    int runs = 20;
    int warmup = 3;         ///< warm-up runs, not counted
    bool roofline = false;  ///< compare with oneDNN products on the processor
    Targets targets;
};

/// Milliseconds of every counted run.
struct Measured {
    std::map<RunStep, std::vector<double>> stages;
    std::vector<double> network;  ///< all stages but `load`: their sum, or the wall time
    double gigaflops = 0;         ///< of oneDNN's products; 0 without a roofline
};

/// Decodes the sample's images and reconstructs it once.
void runOnce(Backend& backend, const Sample& sample, const std::stop_token& cancel,
             Measured& times) {
    const Stopwatch watch;
    const NetworkInput input = loadViews(sample, kPublishedViews);
    const double load = watch.milliseconds();
    BatchOptions run;
    run.cancel = cancel;
    const Reconstruction meshes = backend.reconstruct(input, run);
    times.stages[RunStep::load].push_back(load);
    for (const StepTiming& timing : meshes.timings)
        times.stages[timing.step].push_back(timing.milliseconds);
    times.network.push_back(meshes.milliseconds());
}

Measured measure(Backend& backend, const Sample& sample, const LatencyBenchOptions& options,
                 int threads, const std::stop_token& cancel) {
    Measured unused;
    for (int i = 0; i < options.warmup; ++i) runOnce(backend, sample, cancel, unused);
    Measured measured;
    const auto timeProducts = [&] {
        if (!options.roofline) return;
        if (cancel.stop_requested()) throw Cancelled();
        measured.gigaflops =
            std::max(measured.gigaflops, measureGflopPerSecond(threads, kProductRepeats));
    };
    // Products are timed before and after the runs, and the faster rate counts: if the machine
    // slowed down in between, a slower rate of products would make the network look better.
    timeProducts();
    for (int i = 0; i < options.runs; ++i) runOnce(backend, sample, cancel, measured);
    timeProducts();
    return measured;
}

/// Makes the rows of one measurement.
struct RowMaker {
    NetworkInfo info;
    bool roofline;
    double gigaflops;  ///< of oneDNN's products
    std::optional<GpuPeakRates> peakRates;

    /// `stages`: stages that the times belong to. `sum`: sum of the median milliseconds of all
    /// stages but `load`; 0: no fraction is shown.
    BenchRow row(std::string_view name, std::string_view description,
                 const std::vector<double>& milliseconds, std::span<const RunStep> stages,
                 double sum) const {
        constexpr double kPercent = 100.0;
        const auto [flop, bytes] = costOf(stages);
        const double median = *medianOf(milliseconds);
        const double p95 = *quantile(milliseconds, 0.95);
        const double flopRate = teraflops(flop, median);
        const double byteRate = gigabytesPerSecond(bytes, median);
        BenchRow row;
        row.addLabel("stage", std::string(name));
        row.addNumber("median ms", fmt::format("{:.2f}", median));
        row.addNumber("%", sum > 0 ? fmt::format("{:.1f}", kPercent * median / sum) : "");
        row.addNumber("p95 ms", fmt::format("{:.2f}", p95));
        row.json = {{"stage", name},
                    {"medianMs", median},
                    {"p95Ms", p95},
                    {"stepFlop", flop},
                    {"minTrafficBytes", bytes},
                    {"teraflops", flopRate},
                    {"gigabytesPerSecond", byteRate}};
        if (sum > 0) row.json["fraction"] = median / sum;
        if (roofline) addProducts(row, flop, median);
        if (peakRates) addRates(row, flopRate, byteRate, *peakRates, 2);
        row.addLabel("", std::string(description));
        return row;
    }

  private:
    struct Cost {
        double flop = 0;
        double bytes = 0;  ///< minimum traffic of memory
    };
    Cost costOf(std::span<const RunStep> stages) const {
        const bool usesFourByteFloats =
            info.precision == Precision::float32 || info.precision == Precision::tfloat32;
        Cost cost;
        for (const RunStep step : stages) {
            cost.flop += minimumFlop(*info.model, step, kPublishedViews.size());
            cost.bytes += minimumTrafficBytes(*info.model, step, kPublishedViews.size(),
                                              usesFourByteFloats ? 4 : 2);
        }
        return cost;
    }

    /// Adds the time that oneDNN's products need for `flop` operations, and the ratio of `median`
    /// to that time.
    void addProducts(BenchRow& row, double flop, double median) const {
        constexpr double kFlopInGigaflopMillisecond = 1e6;
        if (flop <= 0) {
            row.addNumber("products ms", "");
            row.addNumber("ratio", "");
            return;
        }
        const double products = flop / (gigaflops * kFlopInGigaflopMillisecond);
        row.addNumber("products ms", fmt::format("{:.2f}", products));
        row.addNumber("ratio", fmt::format("{:.2f}", median / products));
        row.json["productsMs"] = products;
        row.json["ratio"] = median / products;
    }
};

/// Adds the slowest run step.
void addBottleneck(BenchReport& report, const StepTimings& medians) {
    const auto longest = slowestStep(medians);
    if (!longest) return;
    report.remarks = fmt::format("\nbottleneck: {}\n", longest->text());
    report.jsonFooter["bottleneck"] = {{"stage", runStepName(longest->step)},
                                       {"fraction", longest->fraction},
                                       {"text", longest->text()}};
}

/// Adds the rates that stages are compared with: the rate of the processor's products and the peak
/// rates of the GPU.
void addMeasuredRates(BenchReport& report, const RowMaker& rows) {
    if (rows.roofline) {
        report.remarks += fmt::format(
            "\noneDNN float32 products of 106038×192×384: {:.0f} GFLOP/s\n", rows.gigaflops);
        report.jsonFooter["productGigaflops"] = rows.gigaflops;
    }
    if (const auto& peakRates = rows.peakRates)
        report.remarks +=
            fmt::format("\nmeasured on this device: products {:.0f} TFLOP/s, copies {:.0f} GB/s\n",
                        peakRates->teraflops, peakRates->gigabytesPerSecond);
    addPeakRates(report.jsonFooter, rows.peakRates);
}

void addDeviceMemory(BenchReport& report, const DeviceMemoryUse& memory) {
    constexpr double kMega = 1e6;
    const auto mega = [](std::size_t bytes) { return static_cast<double>(bytes) / kMega; };
    report.remarks += fmt::format(
        "\ndevice memory: peak {:.0f} MB, weights and buffers {:.0f} MB of it; the {:.0f} MB in "
        "use before (the bare context, other processes) are not counted\n",
        mega(memory.peakBytes), mega(memory.peakPoolBytes), mega(memory.baselineBytes));
    const PoolStatistics& pools = memory.pools;
    report.remarks += fmt::format("memory pools: {}\n", poolUseText(pools));
    report.jsonFooter["deviceMemory"] = {{"peakMb", mega(memory.peakBytes)},
                                         {"peakPoolMb", mega(memory.peakPoolBytes)},
                                         {"beforeMb", mega(memory.baselineBytes)},
                                         {"poolHits", pools.reusedCount},
                                         {"poolFrees", pools.freedCount},
                                         {"poolLateAllocations", pools.lateAllocationCount}};
}

void addTargets(BenchReport& report, const Targets& targets, double milliseconds) {
    const double rate = perSecond(1, milliseconds);
    const std::string reached = targetsText(targets, milliseconds, rate);
    if (reached.empty()) return;
    report.remarks += '\n' + reached;
    report.jsonFooter["targets"] = targetsJson(targets, milliseconds, rate);
}

BenchReport reportOf(const Sample& sample, const LatencyBenchOptions& options,
                     const OpenedNetwork& opened, const ModelOptions& model,
                     const Measured& measured) {
    const NetworkInfo info = opened.network->info();
    const RowMaker rows{info, options.roofline, measured.gigaflops,
                        measurePeakRates(opened, model, info.precision)};
    BenchReport report = reportOn(opened, "stages");
    report.heading += fmt::format("{}, {} views, {} runs after {} to warm up\n", sample.name(),
                                  kPublishedViews.size(), options.runs, options.warmup);
    report.jsonHeader["sample"] = sample.name();
    report.jsonHeader["views"] = kPublishedViews;
    report.jsonHeader["runs"] = options.runs;
    report.jsonHeader["warmup"] = options.warmup;
    report.totalKey = "network";
    StepTimings medians;
    for (const auto& [stage, times] : measured.stages) medians.push_back({stage, *medianOf(times)});
    const double sum = summedBackendMilliseconds(medians);
    for (const auto& [stage, times] : measured.stages)
        report.rows.push_back(rows.row(runStepName(stage), runStepDescription(stage), times,
                                       std::span(&stage, 1), stage == RunStep::load ? 0 : sum));
    // Counts the operations of all run steps, even of steps that the back end does not time.
    report.rows.push_back(rows.row("network", "All stages but load", measured.network,
                                   runStepsOf(info.model->hypothesisBlocks()), 0));
    addBottleneck(report, medians);
    addMeasuredRates(report, rows);
    report.jsonFooter["peakMemoryMb"] = peakMemoryMegabytes();
    if (const auto memory = opened.network->info().memoryUse) addDeviceMemory(report, *memory);
    addTargets(report, options.targets, *medianOf(measured.network));
    return report;
}

BenchReport runLatency(const LatencyBenchOptions& options, const ModelOptions& model,
                       const std::stop_token& cancel, const BenchProgress&) {
    const Sample sample = chosenSample(options.sample);
    OpenedNetwork opened = openNetwork(model);
    const auto measureDevice = [&](Backend& device) {
        return measure(device, sample, options, model.threads, cancel);
    };
    Measured measured = opened.network->withDevice(measureDevice);
    if (opened.gpu) {
        // The total is timed in a separate run, since the timing of stages slows down a GPU.
        opened.network.reset();  // the device may lack memory for two networks
        opened = openNetwork(withoutStepTimes(model));
        measured.network = opened.network->withDevice(measureDevice).network;
    }
    return reportOf(sample, options, opened, model, measured);
}

void addOptions(CLI::App& command, LatencyBenchOptions& options) {
    addValue(command, "--sample", options.sample, "SAMPLE",
             "Sample; the first bundled one if not given");
    addRunOptions(command, options.runs, options.warmup);
    addTargets(command, options.targets);
    command.add_flag("--roofline", options.roofline, "Also time oneDNN products of the same size");
}

}  // namespace

extern const Bench kLatencyBench{"latency", "Time of one mesh, stage by stage", kLatencyExamples,
                                 true, prepared<LatencyBenchOptions, addOptions, runLatency>};

}  // namespace threefold
