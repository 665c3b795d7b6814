#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "app/commands/commands.h"
#include "app/configuration/bind_settings.h"
#include "app/configuration/setting.h"
#include "app/console/interrupt.h"
#include "app/console/output.h"
#include "app/eval/outcome.h"
#include "app/eval/script_flags.h"
#include "app/options/add_option.h"
#include "app/options/fit_options.h"
#include "app/options/lists.h"
#include "app/options/model_options.h"
#include "app/options/open_network.h"
#include "app/options/output_folder.h"
#include "app/options/sample_options.h"
#include "app/options/targets.h"
#include "engine/devices/gpu_monitor.h"
#include "engine/error.h"
#include "engine/evaluation/describe_run.h"
#include "engine/evaluation/evaluate_list.h"
#include "engine/evaluation/evaluation_list.h"
#include "engine/evaluation/foreign_results.h"
#include "engine/evaluation/journal.h"
#include "engine/evaluation/record.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/bytes/write_file.h"
#include "engine/profile/span.h"
#include "engine/text.h"

namespace threefold {
namespace {

constexpr const char* kEvalExamples =
    R"(LIST is a test list (a .txt file with names such as 02691156_p0001_00.dat, one a line; - reads it
from standard input), a data set's folder, or a sample, photographs of your own included
(docs/OWN_DATA.md). A list beside its ShapeNetRendering and gt folders needs neither --images nor
--gt. A sample without a ground truth gets no scores, but a mesh and the overlap of its silhouettes
with the photographs; with --gt it is an error.

The folder holds one run. Finished samples are kept at once: after Ctrl-C, a full disk or a power
cut, the same command with --resume goes on, and ends in the same files.

Examples:
  threefold eval test.txt --images ShapeNetRendering --gt gt -o out
  threefold eval test.txt --images ShapeNetRendering --gt gt -o out --resume
  threefold eval test.txt --images R --gt G -o part2 --shard 2/4     and then: threefold merge
  threefold eval test.txt --images R --gt G -o fitted --fit-views all
  threefold eval --test_file test.txt --image_root R --gt_root G --output_dir out --no-amp)";

constexpr const char* kResume = "the same command with --resume goes on from there";

/// Progress of a run on standard error (ProgressLine). Any thread.
class EvalProgress {
  public:
    /// `total`: samples of this shard. `before`: samples finished by an earlier session.
    EvalProgress(std::size_t total, std::span<const SampleRecord> before, const GpuMonitor& gauges)
        : total_(total), gauges_(gauges) {
        for (const SampleRecord& record : before) count(record);
    }

    ~EvalProgress() {
        const std::scoped_lock lock(mutex_);
        if (now_ > shownNow_) print(true);
    }

    /// Counts a finished sample. A failed sample gets a line of its own, and so does the first
    /// sample without a truth, which may be an oversight.
    void add(const SampleRecord& record) {
        const std::scoped_lock lock(mutex_);
        const auto report = [&](const std::string& what) {
            line_.writeLine(fmt::format("threefold: sample {}: {}", record.position + 1, what));
        };
        if (!record.succeeded()) {
            report(printable(record.error));
        } else if (record.withoutTruth() && !truthReported_) {
            truthReported_ = true;
            report(printable(record.name) +
                   ": no ground truth was found; samples without truth are measured by silhouettes "
                   "only. Name the folder of the truths with --gt.");
        }
        if (record.fitNote) report(printable(record.name) + ": " + printable(*record.fitNote));
        count(record);
        ++now_;
        if (line_.isDue()) print(false);
    }

  private:
    void count(const SampleRecord& record) {
        ++(record.succeeded() ? done_ : failed_);
        if (const MeansByMesh means = meansOf(record.silhouettes); !means.empty()) {
            ++seen_;
            overlap_ += means.result().overlap;
        }
        if (record.scores.empty()) return;
        const Measures& measures = record.scores.front().result().measures;
        ++scored_;
        chamfer_ += measures.chamfer;
        f_ += measures.atTau().f;
    }

    void print(bool last) {
        shownNow_ = now_;
        const double seconds = line_.seconds();
        const std::size_t finished = done_ + failed_;
        const double rate = seconds > 0 ? static_cast<double>(now_) / seconds : 0;
        std::string line = fmt::format("{}/{}", finished, total_);
        if (failed_ > 0) line += fmt::format(" ({} failed)", failed_);
        line += fmt::format("  {:.3g} samples/s", rate);
        if (!last && rate > 0 && finished < total_)
            line += remainingTimeText(static_cast<double>(total_ - finished) / rate);
        if (scored_ > 0) {
            const auto scored = static_cast<double>(scored_);
            line += fmt::format("  F(τ) {:.2f} %  CD {:.2f} × 10⁻⁴", f_ / scored,
                                1e4 * chamfer_ / scored);
        }
        if (seen_ > 0)
            line += fmt::format("  overlap {:.3f}", overlap_ / static_cast<double>(seen_));
        if (const auto gauges = gauges_.last()) line += "  " + gpuReadingText(*gauges);
        line_.update(line);
    }

    const std::size_t total_;
    const GpuMonitor& gauges_;
    ProgressLine line_;
    std::mutex mutex_;
    std::size_t done_ = 0;
    std::size_t failed_ = 0;
    std::size_t now_ = 0;  ///< of this session
    std::size_t scored_ = 0;
    double chamfer_ = 0;  ///< sums over the samples with scores
    double f_ = 0;
    std::size_t seen_ = 0;  ///< with silhouettes
    double overlap_ = 0;
    bool truthReported_ = false;
    std::size_t shownNow_ = 0;
};

/// Batches whose run steps a GPU times.
enum class TimedBatches { none, sampled, all };

/// The options of `threefold eval`.
struct EvalRequest {
    ModelOptions model;
    ScriptFlags script;
    std::filesystem::path list;
    std::filesystem::path imageRoot;
    std::filesystem::path truthRoot;
    std::filesystem::path output;
    RunChoices choices;  ///< without shard
    std::string shard = "1/1";
    std::optional<MeasuredOn> measureOn;  ///< nullopt: where the network runs
    TimedBatches timedBatches = TimedBatches::sampled;
    PipelineOptions pipeline;  ///< threads and batches
    std::size_t memoryMib = 0;
    std::size_t vertices = 0;  ///< of fitted meshes; 0: FitRequest::vertices
    std::filesystem::path trace;
    std::filesystem::path nvml = kNvmlLibrary;
    Targets targets;
    bool resume = false;
    bool overwrite = false;
    bool meshes = false;
    EmbeddedMeshes embedded = EmbeddedMeshes::shown;
    bool json = false;

    JournalStart start() const {
        if (overwrite) return JournalStart::overwrite;
        return resume ? JournalStart::resume : JournalStart::fresh;
    }
};

/// A mistyped root is reported once, not per sample.
void requireFolder(const char* flag, const std::filesystem::path& folder) {
    if (folder.empty() || isFolder(folder)) return;
    throw InputError(
        {folder.string(), "", "is not a folder", fmt::format("Name one with {}.", flag)});
}

/// Throws InputError for a root that is no folder.
void requireRoots(const EvalRequest& request) {
    requireFolder("--images", request.imageRoot);
    requireFolder("--gt", request.truthRoot);
}

/// Chooses the device that compares clouds. Throws UsageError if a GPU is requested and none is
/// available.
void chooseMeasureDevice(EvalRequest& request, bool onGpu) {
    if (request.script.chamferCuda)
        request.measureOn = onGpu ? MeasuredOn::gpu : MeasuredOn::processor;
    if (request.measureOn == MeasuredOn::gpu && !onGpu)
        throw UsageError({"--measure-on", "gpu", "the network runs on the processor",
                          "Use --measure-on auto, or --backend cuda where there is a GPU."});
    request.choices.measureOnDevice = request.measureOn != MeasuredOn::processor;
}

/// Names without a folder to find them in are reported once, not per sample.
void requireImages(const EvaluationList& list, const std::filesystem::path& imageRoot) {
    if (!imageRoot.empty() || !list.imageRoot.empty()) return;
    const auto isName = [](const ListEntry& entry) {
        return entry.location.extension() == ".dat" && !pathExists(entry.location);
    };
    if (!std::ranges::all_of(list.entries, isName)) return;
    throw UsageError({list.source, "",
                      fmt::format("holds names, such as '{}', and --images does not say where "
                                  "their images are",
                                  list.entries.front().given),
                      "Add --images with the ShapeNetRendering folder that holds them."});
}

ListRunOptions runOptions(const EvalRequest& request, const OpenedNetwork& opened) {
    ListRunOptions options;
    options.imageRoot = request.imageRoot;
    options.truthRoot = request.truthRoot;
    options.writeMeshes = request.meshes;
    options.pipeline = request.pipeline;
    options.pipeline.usesGpu = opened.gpu.has_value();
    if (request.timedBatches == TimedBatches::all) options.pipeline.stepTimingsEvery = 1;
    if (request.timedBatches == TimedBatches::none) options.pipeline.stepTimingsEvery = 0;
    options.pipeline.memoryBytes = request.memoryMib << 20U;
    return options;
}

/// Whether all samples are hasPhotographsToFit().
bool allHavePhotographsToFit(const EvaluationList& list) try {
    return std::ranges::all_of(list.entries, [](const ListEntry& entry) {
        return entry.problem.empty() && mayBePhotographs(entry.location) &&
               hasPhotographsToFit(findSample(entry.location));
    });
} catch (const Error&) {
    return false;  // the run reports it
}

/// Resolves a default fit equally for all samples; a mixture of photographs and renderings counts
/// as renderings. The start surface of a fit stays each sample's default. Throws UsageError: no
/// mesh has this number of vertices.
void resolveFit(EvalRequest& request, const EvaluationList& list) {
    std::optional<FitRequest>& fit = request.choices.fit;
    if (fit) {
        if (request.vertices > 0) fit->vertices = request.vertices;
        const bool unasked = isDefaultFit(*fit);
        const bool photographs = !fit->kind && allHavePhotographsToFit(list);
        const std::optional<ResolvedFit> resolved =
            resolveFit(photographs ? findSample(list.entries.front().location) : Sample{}, *fit);
        fit = resolved ? std::optional(resolved->request()) : std::nullopt;
        if (unasked && resolved)
            spdlog::warn("{}: {}", list.source,
                         defaultFitNote("photographs of a sample", resolved->vertices));
    }
    if (request.vertices > 0 && !fit)
        throw UsageError({"--vertices", std::to_string(request.vertices), "no mesh is fitted",
                          "Add --fit-views all."});
}

/// Samples with a kept record; all others are run now.
std::vector<SampleRecord> finishedBefore(const Journal& journal, const EvalRequest& request,
                                         const ListRunOptions& options) {
    std::vector<SampleRecord> records;
    for (const auto& [position, record] : journal.contents().records)
        if (isFinished(record, request.output, options)) records.push_back(record);
    return records;
}

void reportTimes(const PipelineReport& times, const EvalRequest& request,
                 const GpuMonitor& gauges) {
    if (!request.trace.empty()) writeFileAtomically(request.trace, formatChromeTrace(times.spans));
    // With few samples, reading the first dominates.
    constexpr std::size_t kMinSamples = 8;
    if (times.samples < kMinSamples) return;
    const std::string slowest = bottleneckText(bottleneckOf(times));
    spdlog::info("slowest part: {}", slowest);
    constexpr double kIdle = 30;
    const std::optional<GpuUtilisation> busy = gauges.utilisation();
    if (!busy) return;
    spdlog::debug("{}; busy for {:.0f} % of the time, {:.0f} % at least",
                  gpuReadingText(*gauges.last()), busy->mean, busy->lowest);
    if (busy->mean < kIdle)
        spdlog::warn("the GPU was busy for {:.0f} % of the time; slowest part: {}", busy->mean,
                     slowest);
}

/// Evaluates the list, with progress on standard error. Throws as evaluateList().
PipelineReport runList(const EvalRequest& request, const EvaluationList& list,
                       OpenedNetwork& opened, Journal& journal, const GpuMonitor& gauges,
                       const std::stop_token& cancel) {
    ListRunOptions options = runOptions(request, opened);
    options.pipeline.cancel = cancel;
    options.pipeline.spans = !request.trace.empty();
    EvalProgress progress(entriesOf(list, journal.contents().description.shard).size(),
                          finishedBefore(journal, request, options), gauges);
    options.onStored = [&](const SampleRecord& record) { progress.add(record); };
    std::atomic<std::size_t> noted = 0;
    options.onMeasured = [&](const MeasuredSample& sample, const SampleRecord& /*record*/) {
        const std::vector<std::string>& notes = sample.loaded.truth.notes;
        if (!notes.empty() && noted++ == 0)
            spdlog::warn("{} (shown for the first such truth only)", notes.front());
    };
    PipelineReport times;
    evaluateList(*opened.network, list, journal, request.output, options, &times);
    return times;
}

/// Reports, after an end that was not planned, how many samples are kept, or that the folder was
/// removed.
void reportKept(const EvalRequest& request, const EvaluationList& list, const Journal& journal,
                std::string_view before) {
    if (journal.isGone())
        spdlog::error("nothing is kept: {} was removed during the run", request.output.string());
    else
        spdlog::error("{}{} of {} samples are done and kept; {}", before,
                      journal.contents().succeededCount(),
                      entriesOf(list, journal.contents().description.shard).size(), kResume);
}

ExitCode evaluate(const EvalRequest& request, const EvaluationList& list, OpenedNetwork& opened,
                  Journal& journal, const std::stop_token& cancel) {
    const GpuMonitor gauges(opened.network->info().pciBusIds, request.nvml);
    try {
        const PipelineReport times = runList(request, list, opened, journal, gauges, cancel);
        EvaluationRun run = journal.run();
        run.session.utilisation = gauges.utilisation();
        run.session.memory = opened.network->info().memoryUse;
        reportTimes(times, request, gauges);
        return reportOutcome(
            run, request.output, request.json, request.targets,
            {.imageRoot = request.imageRoot.empty() ? list.imageRoot : request.imageRoot,
             .embedded = request.embedded});
    } catch (const Cancelled&) {
        reportKept(request, list, journal, "cancelled: ");
    } catch (const OutputClosed&) {
        throw;
    } catch (const Error& error) {
        spdlog::error("{}", error.what());
        reportKept(request, list, journal, "");
    }
    return ExitCode::failed;
}

ExitCode eval(EvalRequest request) {
    requireRoots(request);
    request.choices.shard = shardFromText(request.shard);
    Interrupt interrupt;
    const EvaluationList list = readList(request.list, interrupt.token());
    requireImages(list, request.imageRoot);
    resolveFit(request, list);
    const std::size_t views = request.choices.views.size();
    if (const std::string warning = viewCountWarning(views); !warning.empty())
        spdlog::warn("{}", warning);
    const OutputFolder folder(request.output);
    requireReplaceable("--trace", request.trace, kChromeTraceStart, "a trace");
    applyScriptFlags(request.script, request.model);
    request.model.gpu.stepTimes = request.timedBatches != TimedBatches::none;
    OpenedNetwork opened = [&] {
        const Interrupt::ImmediateExit immediateExit(interrupt);
        return openNetwork(request.model);
    }();
    reportScriptFlags(request.script, opened.gpu.has_value());
    chooseMeasureDevice(request, opened.gpu.has_value());
    const MachineDescription machine =
        describeMachine(request.model.threads, opened.gpu ? &*opened.gpu : nullptr);
    if (!request.overwrite) {
        ListRunOptions options = runOptions(request, opened);
        options.pipeline.cancel = interrupt.token();
        refuseForeignResults(list, request.choices.shard, request.output, options);
    }
    Journal journal(request.output,
                    describeRun(list, request.choices, opened.network->info(), machine),
                    request.start());
    const bool onDevice = journal.contents().description.measuredOn == MeasuredOn::gpu;
    if (request.measureOn && onDevice != (request.measureOn == MeasuredOn::gpu))
        spdlog::warn("--measure-on is ignored: a resumed run keeps measuring {}",
                     onDevice ? "on the GPU" : "on the processor");
    if (const std::size_t damaged = journal.contents().damagedLines; damaged > 0)
        spdlog::warn("{}: {} line{} torn or damaged: those samples are evaluated again",
                     (request.output / kJournalName).string(), damaged,
                     damaged == 1 ? " was" : "s were");
    return evaluate(request, list, opened, journal, interrupt.token());
}

void addInputs(CLI::App& command, EvalRequest& request) {
    addValue(command, "LIST,--test_file,--eval_list", request.list, "LIST",
             "Test list (- for standard input), data set's folder, or sample")
        ->required();
    addListRoots(command, request.imageRoot, request.truthRoot,
                 {.images = "--images,--image_root", .truths = "--gt,--gt_root"});
    addTruthSpace(command, request.choices.truthSpace);
    addValue(command, "-o,--output,--output_dir", request.output, "DIR",
             "Folder for reports and meshes, made if missing")
        ->required();
    addSetting(command, setting::views, request.choices.views);
    addFit(command, request.choices.fit);
    addFittedVertices(command, request.vertices, "Vertices of the fitted mesh");
}

void addMeasures(CLI::App& command, EvalRequest& request) {
    addSettingWord(command, setting::protocol, [&request](const std::string& word) {
        request.choices.protocols = protocolsOf(word);
    });
    addSetting(command, setting::tau, request.choices.tau);
    addSetting(command, setting::earthMovers, request.choices.earthMovers);
    addSetting(command, setting::keptTruthPoints, request.choices.truthPoints);
    addSettingWord(command, setting::measureOn, [&request](const std::string& word) {
        request.measureOn.reset();
        if (word != "auto")
            request.measureOn = word == "gpu" ? MeasuredOn::gpu : MeasuredOn::processor;
    });
    addSettingWord(command, setting::stepTimes, [&request](const std::string& word) {
        request.timedBatches = word == "all"       ? TimedBatches::all
                               : word == "sampled" ? TimedBatches::sampled
                                                   : TimedBatches::none;
    });
    addSetting(command, setting::warmUp, request.choices.warmUpRuns);
}

void addRunning(CLI::App& command, EvalRequest& request) {
    CLI::Option* const resume = command.add_flag(
        "--resume", request.resume, "Continue the run in DIR; failed samples are tried again");
    command.add_flag("--overwrite", request.overwrite, "Delete the run in DIR and start over")
        ->excludes(resume);
    addValue(command, "--shard", request.shard, "i/n",
             "Part i of n of the list, for several machines; `threefold merge` joins them");
    addSetting(command, setting::loaders, request.pipeline.loaders);
    addSetting(command, setting::finishers, request.pipeline.finishers);
    addSetting(command, setting::pipelineMemory, request.memoryMib);
    addSetting(command, setting::batch, request.pipeline.batch);
    addSetting(command, setting::batchWait, request.pipeline.maxWaitMilliseconds);
    addSetting(command, setting::meshes, request.meshes);
    addEmbed(command, request.embedded);
    addSetting(command, setting::trace, request.trace);
    addTargets(command, request.targets);
    command.add_option("--nvml", request.nvml)->group("");  // for tests
    command.add_flag("--json", request.json, "report.json on standard output");
}

}  // namespace

void addEval(CLI::App& program, CommandLine& line) {
    auto request = std::make_shared<EvalRequest>();
    CLI::App& command = addCommand(
        program, "eval", "Evaluate a list of samples: the table of the paper", kEvalExamples);
    addInputs(command, *request);
    addMeasures(command, *request);
    addRunning(command, *request);
    addModelOptions(command, line.model);
    addScriptFlags(command, request->script);
    setAction(command, line, [&line, request] {
        request->model = line.model;
        request->model.calibrationImages = request->imageRoot;
        return eval(*request);
    });
}

}  // namespace threefold
