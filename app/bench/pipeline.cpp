#include <algorithm>
#include <exception>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "app/bench/bench.h"
#include "app/bench/device_report.h"
#include "app/bench/list_run.h"
#include "app/bench/pipeline_runs.h"
#include "app/bench/plot.h"
#include "app/bench/simulated_device.h"
#include "app/bench/throughput_sweep.h"
#include "app/configuration/bind_settings.h"
#include "app/configuration/number_range.h"
#include "app/configuration/setting.h"
#include "app/console/exit_code.h"
#include "app/console/process.h"
#include "app/options/add_option.h"
#include "app/options/fit_options.h"
#include "app/options/lists.h"
#include "app/options/model_options.h"
#include "app/options/output_folder.h"
#include "app/options/sample_options.h"
#include "engine/error.h"
#include "engine/formats/files/folders.h"
#include "engine/formats/files/reserved_file.h"
#include "engine/formats/files/temporary_folder.h"
#include "engine/formats/files/write_file.h"
#include "engine/profile/trace_format.h"
#include "engine/resources.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPipelineExamples =
    R"(Takes the samples of LIST through the steps of `eval`, from files to measured meshes, once in
each mode: one sample after another (simple), with one thread for each step (overlapped), and with
as many threads and as large batches as the run's own times ask for (full). For each mode it prints
the throughput, the time from a sample's first byte until the sample is stored, the occupancy of
each group of threads, the step that slows the run down with a remedy, and whether the mode is worth
it on this machine. A list that is shorter than --samples is repeated. docs/PERFORMANCE.md says how
to read the output.

Examples:
  threefold bench pipeline
  threefold bench pipeline test.txt --images ShapeNetRendering --gt gt -o /data --plot out.svg
  threefold bench pipeline --samples 200 --simulate-device 1 --read-limit 50 --alone
  threefold bench pipeline --modes full --trace out.json --json)";

/// How a run processes the list: threads and batches.
struct Mode {
    std::string_view name;
    bool isSequential = false;    ///< one sample after another
    bool usesMinThreads = false;  ///< one thread for each step, and batches of a fixed size
};

/// Modes, the simplest first.
constexpr Mode kModes[] = {{.name = "simple", .isSequential = true},
                           {.name = "overlapped", .usesMinThreads = true},
                           {.name = "full"}};

std::vector<std::string> modeNames() {
    std::vector<std::string> names;
    for (const Mode& mode : kModes) names.emplace_back(mode.name);
    return names;
}

struct PipelineBenchOptions {
    fs::path list;  ///< empty: the bundled samples
    fs::path imageRoot;
    fs::path truthRoot;
    std::size_t samples = 0;  ///< 0: each sample of the list once
    std::vector<std::string> modes = modeNames();
    PipelineOptions pipeline;  ///< threads and batches
    double simulated = 0;      ///< simulated milliseconds per mesh; 0: the real network
    double readLimit = 0;      ///< MB/s; 0: none
    bool cold = false;
    bool alone = false;
    std::vector<Protocol> protocols = {Protocol::published};
    std::optional<FitRequest> fit;
    bool meshes = true;
    fs::path output;
    fs::path trace;
    fs::path plot;
    std::vector<int> batches;
};

class PipelineBench {
  public:
    PipelineBench(const PipelineBenchOptions& options, const ModelOptions& model,
                  std::stop_token cancel)
        : options_(options),
          cancel_(std::move(cancel)),
          list_(readList(options.list.empty() ? bundledSamplesFolder() : options.list, cancel_)),
          samples_(options.samples > 0 ? options.samples : list_.entries.size()),
          opened_(openNetwork(withoutStepTimes(model))),
          usesDevice_(opened_.gpu.has_value() || options.simulated > 0),
          threads_(model.threads) {}

    BenchReport run(const BenchProgress& progress) {
        prepare();
        BenchReport report = begunReport();
        const auto add = [&](PipelineRun run) {
            runs_.push_back(std::move(run));
            report.rows.push_back(pipelineRow(runs_.back(), runs_.front()));
            progress(report);
        };
        for (const Mode& mode : modes()) {
            const TemporaryFolder scratch = makeScratch();
            BenchedList list(work(scratch.path()));
            if (options_.cold) setCached(list, false);
            add(makeRun(mode, *network_, list, TimedSteps::all));
        }
        writeTraceAndPlot();
        if (options_.alone) runAlone(add);
        report.remarks = pipelineRemarks(runs_);
        report.jsonFooter = pipelineVerdictJson(runs_);
        report.jsonFooter["peakMemoryMb"] = peakMemoryMegabytes();
        const bool failed = std::ranges::any_of(
            runs_, [](const PipelineRun& run) { return run.report.failed > 0; });
        report.exitCode = failed ? ExitCode::someFailed : ExitCode::done;
        return report;
    }

  private:
    /// Makes the folder for the files of one run.
    TemporaryFolder makeScratch() const {
        return {"bench", options_.output.empty() ? systemTemporaryFolder() : options_.output,
                "Choose another one with -o."};
    }

    /// Requested modes, the simplest first.
    std::vector<Mode> modes() const {
        std::vector<Mode> modes(std::begin(kModes), std::end(kModes));
        std::erase_if(modes, [this](const Mode& mode) {
            return std::ranges::count(options_.modes, mode.name) == 0;
        });
        return modes;
    }

    static std::size_t cores() { return std::max(1U, std::thread::hardware_concurrency()); }

    std::string conditions() const {
        std::string text =
            fmt::format("{} sample{} of {}", samples_, samples_ == 1 ? "" : "s", list_.source);
        if (options_.readLimit > 0)
            text += fmt::format("; reading limited to {:g} MB/s", options_.readLimit);
        if (options_.cold) text += "; files not in memory before";
        return text + fmt::format("; {} cores", cores());
    }

    BenchReport begunReport() const {
        BenchReport report = reportOn(opened_, "runs");
        report.jsonHeader["simulated"] = simulated_ != nullptr;
        if (simulated_) {
            report.heading = network_->info().description + '\n';
            report.jsonHeader["backend"] = network_->info().description;
            report.jsonHeader["simulatedMsAMesh"] = options_.simulated;
        }
        report.heading += conditions() + '\n';
        report.jsonHeader["list"] = list_.source;
        report.jsonHeader["samples"] = samples_;
        report.jsonHeader["cores"] = cores();
        if (options_.readLimit > 0) report.jsonHeader["readLimitMbPerSecond"] = options_.readLimit;
        report.jsonHeader["cold"] = options_.cold;
        return report;
    }

    ListWork work(const fs::path& output) const {
        constexpr double kBytesInMegabyte = 1e6;
        ListWork work;
        work.entries = list_.entries;
        work.sources.imageRoot = options_.imageRoot.empty() ? list_.imageRoot : options_.imageRoot;
        work.sources.truthRoot = options_.truthRoot;
        work.sources.loadOptions.truthRequired = !options_.truthRoot.empty();
        FinishOptions& finish = work.finish;
        finish.fitOptions.cancel = finish.measure.cancel = cancel_;
        finish.fit = options_.fit;
        // As in `eval`: with a device, several finishers fit at once, each on one thread.
        finish.fitOptions.threads = usesDevice_ ? 1 : threads_;
        finish.measure.evaluation = false;
        for (const Protocol protocol : options_.protocols)
            finish.measure.protocols.push_back({.protocol = protocol, .cancel = cancel_});
        work.meshes = options_.meshes;
        work.output = output;
        work.bytesPerSecond = options_.readLimit * kBytesInMegabyte;
        return work;
    }

    /// Runs the network once and caches the files: first runs and first reads are slower.
    void prepare() {
        const TemporaryFolder scratch = makeScratch();
        BenchedList list(work(scratch.path()));
        const NetworkInput input = firstInput(list);
        Reconstruction reconstruction = reconstruct(input);
        if (options_.simulated > 0)
            simulated_ = simulate(std::move(reconstruction), options_.simulated);
        network_ = simulated_ ? simulated_.get() : opened_.network.get();
        if (!options_.cold) setCached(list, true);
    }

    /// Asks the system to cache the samples' files, or to drop them from its cache.
    void setCached(const BenchedList& list, bool cached) const {
        for (std::size_t index = 0; index < std::min(samples_, list_.entries.size()); ++index) {
            if (cancel_.stop_requested()) throw Cancelled();
            list.setCached(index, cached);
        }
    }

    Reconstruction reconstruct(const NetworkInput& input) {
        BatchOptions run;
        run.cancel = cancel_;
        return opened_.network->withDevice(
            [&](Backend& device) { return device.reconstruct(input, run); });
    }

    std::unique_ptr<NetworkService> simulate(Reconstruction result, double milliseconds) const {
        return std::make_unique<NetworkService>(oneDevice(
            makeSimulatedDevice(opened_.network->info(), std::move(result), milliseconds)));
    }

    /// Input of the first loadable sample. If none can be loaded, throws the first sample's
    /// exception.
    NetworkInput firstInput(BenchedList& list) const {
        std::exception_ptr failure;
        for (std::size_t index = 0; index < list_.entries.size(); ++index) {
            try {
                return list.loadInput(index);
            } catch (const Error&) {
                if (!failure) failure = std::current_exception();
            }
        }
        std::rethrow_exception(failure);
    }

    PipelineRun makeRun(const Mode& mode, NetworkService& network, BenchedList& list,
                        TimedSteps steps) const {
        PipelineOptions pipeline = options_.pipeline;
        pipeline.isSequential = mode.isSequential;
        pipeline.usesGpu = usesDevice_;
        pipeline.coreCount = cores();
        pipeline.cancel = cancel_;
        pipeline.spans =
            !options_.trace.empty() && steps == TimedSteps::all && mode.name == modes().back().name;
        if (mode.usesMinThreads) {
            constexpr std::size_t kDefaultBatch = 16;
            if (pipeline.loaders == 0) pipeline.loaders = 1;
            if (pipeline.finishers == 0) pipeline.finishers = 1;
            if (pipeline.batch == 0)
                pipeline.batch = std::min(kDefaultBatch, network.info().maxBatchSize);
        }
        PipelineRun run;
        run.name = mode.name;
        run.cores = cores();
        runPipeline(network, samples_, list.callbacks(steps), pipeline, &run.report);
        run.processorMilliseconds = list.processorMilliseconds();
        run.settledMemoryMb = list.settledMemoryMb();
        run.peakMemoryMb = list.peakMemoryMb();
        return run;
    }

    /// Measures the speed of each step alone, with the threads and batches of the mode `full`.
    void runAlone(const std::function<void(PipelineRun)>& add) {
        const TemporaryFolder scratch = makeScratch();
        BenchedList list(work(scratch.path()));
        const NetworkInput input = firstInput(list);
        const std::unique_ptr<NetworkService> instant = simulate(reconstruct(input), 0);
        const auto runStep = [&](const char* name, NetworkService& network, TimedSteps steps) {
            PipelineRun run = makeRun(std::end(kModes)[-1], network, list, steps);
            run.name = name;
            run.isSingleStep = true;
            add(std::move(run));
        };
        if (options_.cold) setCached(list, false);
        runStep("load alone", *instant, TimedSteps::load);
        runStep("network alone", *network_, TimedSteps::network);
        runStep("finish alone", *instant, TimedSteps::finish);
    }

    void writeTraceAndPlot() {
        if (runs_.empty()) return;
        if (!options_.trace.empty()) {
            writeFileAtomically(options_.trace, formatChromeTrace(runs_.back().report.spans));
            runs_.back().report.spans.clear();
        }
        if (options_.plot.empty()) return;
        const std::string title = fmt::format("Pipeline, {}", network_->info().description);
        writeFileAtomically(options_.plot, pipelinePlot(title, conditions(), runs_, sweep()));
    }

    ThroughputResult sweep() const {
        constexpr std::size_t kInputs = 4;
        constexpr double kSeconds = 1;
        const TemporaryFolder scratch = makeScratch();
        BenchedList list(work(scratch.path()));
        std::vector<NetworkInput> inputs;
        for (std::size_t index = 0; index < list_.entries.size() && inputs.size() < kInputs;
             ++index) {
            try {
                inputs.push_back(list.loadInput(index));
            } catch (const Error&) {
                // The runs have counted the sample as failed.
            }
        }
        ThroughputOptions options;
        options.batches =
            options_.batches.empty() ? defaultBatchSizes(usesDevice_) : options_.batches;
        options.seconds = kSeconds;
        return measureThroughput(*network_, inputs, options, cancel_, [](const ThroughputRow&) {});
    }

    const PipelineBenchOptions& options_;
    const std::stop_token cancel_;
    const EvaluationList list_;
    const std::size_t samples_;
    OpenedNetwork opened_;
    const bool usesDevice_;  ///< the network runs on a GPU or on a simulated device
    const int threads_;
    std::unique_ptr<NetworkService> simulated_;
    NetworkService* network_ = nullptr;
    std::vector<PipelineRun> runs_;
};

void addInputs(CLI::App& command, PipelineBenchOptions& options) {
    constexpr std::size_t kMaxSamples = 1'000'000;
    addValue(command, "LIST", options.list, "LIST",
             "Test list, data set's folder, or sample; the bundled samples if not given");
    addListRoots(command, options.imageRoot, options.truthRoot);
    addValue(command, "--samples", options.samples, "N",
             "Number of samples, by repeating the list; the list once if not given")
        ->check(numberValidator(NumberRange::wholeNumber(1, kMaxSamples)));
    addFit(command, options.fit);
    addSettingWord(command, setting::protocol,
                   [&options](const std::string& word) { options.protocols = protocolsOf(word); });
    addSetting(command, setting::meshes, options.meshes);
    addValue(command, "-o,--output", options.output, "DIR",
             "Folder for temporary meshes, deleted at the end; the system's temporary folder if "
             "not given");
}

void addConditions(CLI::App& command, PipelineBenchOptions& options) {
    constexpr double kMaxValue = 1e6;
    addList(command, "--modes", options.modes, "NAME,NAME,...",
            "simple, overlapped, full; all three if not given")
        ->check(CLI::IsMember(modeNames()));
    addSetting(command, setting::batch, options.pipeline.batch);
    addSetting(command, setting::batchWait, options.pipeline.maxWaitMilliseconds);
    addSetting(command, setting::loaders, options.pipeline.loaders);
    addSetting(command, setting::finishers, options.pipeline.finishers);
    addValue(command, "--simulate-device", options.simulated, "MS",
             "Replace the network by a simulated device that needs MS milliseconds for each mesh")
        ->check(numberValidator(NumberRange::milliseconds(kMaxValue)));
    addValue(command, "--read-limit", options.readLimit, "MB/S",
             "Limit the reading of images and truths to this speed, for all threads together")
        ->check(numberValidator({0, kMaxValue, false, false, "MB/s"}));
    command.add_flag(
        "--cold", options.cold,
        "Drop the files from the page cache before each run, so that each run reads the disk");
}

void addOptions(CLI::App& command, PipelineBenchOptions& options) {
    addInputs(command, options);
    addConditions(command, options);
    command.add_flag("--alone", options.alone, "Also measure each step by itself, after the modes");
    addSetting(command, setting::trace, options.trace);  // the trace is that of the last mode
    addValue(command, "--plot", options.plot, "FILE", "Picture of the runs, as SVG");
    addList(command, "--batches", options.batches, "N,N,...",
            "Batch sizes in the picture; if not given, as in `bench throughput`")
        ->check(numberValidator(NumberRange::wholeNumber(1, 4096)));
}

BenchReport runPipelineBench(const PipelineBenchOptions& options, const ModelOptions& model,
                             const std::stop_token& cancel, const BenchProgress& progress) {
    requireReplaceable("--trace", options.trace, kChromeTraceStart, "a trace");
    {
        const ReservedFile trace(options.trace, "the trace");
        requireReplaceable("--plot", options.plot, kPlotStart, "an SVG");
    }
    return PipelineBench(options, model, cancel).run(progress);
}

}  // namespace

extern const Bench kPipelineBench;
const Bench kPipelineBench{"pipeline", "Run a list through all steps and name the slowest",
                           kPipelineExamples, true,
                           prepared<PipelineBenchOptions, addOptions, runPipelineBench>};

}  // namespace threefold
