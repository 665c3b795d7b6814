#include <atomic>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "app/commands/commands.h"
#include "app/configuration/bind_settings.h"
#include "app/configuration/setting.h"
#include "app/console/interrupt.h"
#include "app/console/output.h"
#include "app/eval/eval_progress.h"
#include "app/eval/eval_request.h"
#include "app/eval/outcome.h"
#include "app/eval/script_flags.h"
#include "app/options/add_option.h"
#include "app/options/embedded_meshes.h"
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
#include "engine/evaluation/journal/journal.h"
#include "engine/evaluation/list/evaluation_list.h"
#include "engine/evaluation/run/evaluation_run.h"
#include "engine/evaluation/run/run_description.h"
#include "engine/evaluation/unrelated_files.h"
#include "engine/formats/files/reserved_file.h"
#include "engine/formats/files/write_file.h"
#include "engine/profile/trace_format.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEvalExamples =
    R"(LIST is a test list (a .txt file with names such as 02691156_p0001_00.dat, one a line; - reads it
from standard input), a data set's folder, or a sample, photographs of your own included
(docs/OWN_DATA.md). A list beside its ShapeNetRendering and gt folders needs neither --images nor
--gt. A sample without a ground truth gets no scores, but a mesh and the overlap of its silhouettes
with the photographs; with --gt it is an error.

The folder of -o holds one run. Each finished sample is saved immediately: after Ctrl-C, a full disk
or a power cut, run the same command with --resume to continue; the files will be the same.

Examples:
  threefold eval test.txt --images ShapeNetRendering --gt gt -o out
  threefold eval test.txt --images ShapeNetRendering --gt gt -o out --resume
  threefold eval test.txt --images R --gt G -o part2 --shard 2/4     and then: threefold merge
  threefold eval test.txt --images R --gt G -o fitted --fit-views all
  threefold eval --test_file test.txt --image_root R --gt_root G --output_dir out --no-amp)";

constexpr const char* kResume = "run the same command with --resume to continue";

void warnOfChangedMeshFiles(const std::vector<fs::path>& meshes) {
    if (meshes.empty()) return;
    const std::size_t further = meshes.size() - 1;
    spdlog::warn(
        "{} was changed after this run wrote it{}", meshes.front().string(),
        further == 0
            ? ": the sample is computed again, and the file replaced"
            : fmt::format(
                  ", as were {} more: the samples are computed again, and the files replaced",
                  further));
}

/// Logs the slowest step, and warns if the GPU was idle.
void reportTimes(const PipelineReport& times, const GpuMonitor& monitor) {
    // With few samples, reading the first dominates.
    constexpr std::size_t kMinSamples = 8;
    if (times.samples < kMinSamples) return;
    const std::string slowest = bottleneckText(bottleneckOf(times));
    spdlog::info("slowest step: {}", slowest);
    constexpr double kMinBusyPercent = 30;
    const std::optional<GpuUtilisation> busy = monitor.utilisation();
    if (!busy) return;
    spdlog::debug("{}; utilisation {:.0f} % in the mean, lowest reading {:.0f} %",
                  gpuReadingText(*monitor.last()), busy->meanPercent, busy->minPercent);
    if (busy->meanPercent < kMinBusyPercent)
        spdlog::warn("the GPU was busy for {:.0f} % of the time; slowest step: {}",
                     busy->meanPercent, slowest);
}

/// Evaluates the list, with progress on standard error. Throws as evaluateList().
PipelineReport evaluateWithProgress(const EvalRequest& request, const EvaluationList& list,
                                    OpenedNetwork& opened, Journal& journal,
                                    const GpuMonitor& monitor, const std::stop_token& cancel) {
    ListRunOptions options = runOptions(request, opened.gpu.has_value());
    options.pipeline.cancel = cancel;
    options.pipeline.spans = !request.output.trace.empty();
    const EarlierSamples earlier =
        earlierSamples(journal.contents(), request.output.folder, options);
    warnOfChangedMeshFiles(earlier.changedMeshFiles);
    EvalProgress progress(entriesOf(list, journal.contents().description.shard).size(),
                          earlier.finished, monitor);
    options.onStored = [&](const SampleRecord& record) { progress.add(record); };
    std::atomic<std::size_t> noted = 0;
    options.onMeasured = [&](const MeasuredSample& sample, const SampleRecord& /*record*/) {
        const std::vector<std::string>& notes = sample.loaded.truth.notes;
        if (!notes.empty() && noted++ == 0)
            spdlog::warn("{} (shown for the first such truth only)", notes.front());
    };
    PipelineReport times;
    evaluateList(*opened.network, list, journal, request.output.folder, options, &times);
    return times;
}

/// Reports after an early end how many samples are kept, or that the folder was removed. `prefix`:
/// beginning of the first message.
void reportKept(const EvalRequest& request, const EvaluationList& list, const Journal& journal,
                std::string_view prefix) {
    if (journal.isGone())
        spdlog::error("nothing is kept: {} was removed during the run",
                      request.output.folder.string());
    else
        spdlog::error("{}{} of {} samples are done and kept; {}", prefix,
                      journal.contents().succeededCount(),
                      entriesOf(list, journal.contents().description.shard).size(), kResume);
}

ExitCode evaluateAndReport(const EvalRequest& request, const EvaluationList& list,
                           OpenedNetwork& opened, Journal& journal, const std::stop_token& cancel) {
    // The trace is written last, so that no mesh or report can replace it.
    ReservedFile trace(request.output.trace, "the trace");
    const GpuMonitor monitor(opened.network->info().pciBusIds, request.nvml);
    try {
        const PipelineReport times =
            evaluateWithProgress(request, list, opened, journal, monitor, cancel);
        EvaluationRun run = journal.run();
        run.deviceStatistics.utilisation = monitor.utilisation();
        run.deviceStatistics.memory = opened.network->info().memoryUse;
        reportTimes(times, monitor);
        const ExitCode code = reportOutcome(
            run, request.output.folder, request.output.json, request.targets,
            {.imageRoot =
                 request.sources.imageRoot.empty() ? list.imageRoot : request.sources.imageRoot,
             .embedded = request.output.embedded});
        trace.release();
        requireReplaceable("--trace", request.output.trace, kChromeTraceStart, "a trace");
        if (!request.output.trace.empty())
            writeFileAtomically(request.output.trace, formatChromeTrace(times.spans));
        return code;
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

/// Opens the network and completes the choices that depend on its device.
OpenedNetwork openNetworkOf(EvalRequest& request, Interrupt& interrupt) {
    applyScriptFlags(request.script, request.model);
    request.model.gpu.stepTimes = request.timedBatches != TimedBatches::none;
    OpenedNetwork opened = [&] {
        const Interrupt::ImmediateExit immediateExit(interrupt);
        return openNetwork(request.model);
    }();
    reportScriptFlags(request.script, opened.gpu.has_value());
    chooseMeasureDevice(request, opened.gpu.has_value());
    return opened;
}

/// Opens the journal of a new or resumed run. Throws UsageError for results that belong to no run
/// or to another one.
Journal openJournal(const EvalRequest& request, const EvaluationList& list,
                    const OpenedNetwork& opened, const std::stop_token& cancel) {
    const MachineDescription machine =
        describeMachine(request.model.threads, opened.gpu ? &*opened.gpu : nullptr);
    if (!request.output.overwrite) {
        ListRunOptions options = runOptions(request, opened.gpu.has_value());
        options.pipeline.cancel = cancel;
        refuseUnrelatedFiles(list, request.choices.shard, request.output.folder, options);
    }
    RunDescription run = describeRun(list, request.choices, opened.network->info(), machine);
    run.folders = runFolders(list, request.sources.imageRoot, request.sources.truthRoot);
    return Journal(request.output.folder, run, request.output.existingRun());
}

/// Warns of an ignored --measure-on and of damaged lines.
void warnOfJournal(const EvalRequest& request, const Journal& journal) {
    const bool onDevice = journal.contents().description.measuringDevice == MeasuringDevice::gpu;
    if (request.measureOn && onDevice != (request.measureOn == MeasuringDevice::gpu))
        spdlog::warn("--measure-on is ignored: a resumed run keeps measuring {}",
                     onDevice ? "on the GPU" : "on the processor");
    if (const std::size_t damaged = journal.contents().damagedLines; damaged > 0)
        spdlog::warn("{}: {} line{} torn or damaged: those samples are evaluated again",
                     (request.output.folder / kJournalName).string(), damaged,
                     damaged == 1 ? " was" : "s were");
}

ExitCode eval(EvalRequest request) {
    requireRoots(request.sources);
    Interrupt interrupt;
    const EvaluationList list = readList(request.sources.list, interrupt.token());
    requireImages(list, request.sources.imageRoot);
    resolveFit(request, list);
    const std::size_t views = request.choices.measures.views.size();
    if (const std::string warning = viewCountWarning(views); !warning.empty())
        spdlog::warn("{}", warning);
    const OutputFolder folder(request.output.folder);
    requireReplaceable("--trace", request.output.trace, kChromeTraceStart, "a trace");
    OpenedNetwork opened = openNetworkOf(request, interrupt);
    Journal journal = openJournal(request, list, opened, interrupt.token());
    warnOfJournal(request, journal);
    return evaluateAndReport(request, list, opened, journal, interrupt.token());
}

void addInputs(CLI::App& command, EvalRequest& request) {
    addValue(command, "LIST,--test_file,--eval_list", request.sources.list, "LIST",
             "Test list (- for standard input), data set's folder, or sample")
        ->required();
    addListRoots(command, request.sources.imageRoot, request.sources.truthRoot,
                 {.images = "--images,--image_root", .truths = "--gt,--gt_root"});
    addTruthSpace(command, request.choices.measures.truthSpace);
    addValue(command, "-o,--output,--output_dir", request.output.folder, "DIR",
             "Folder for reports and meshes, created if missing")
        ->required();
    addSetting(command, setting::views, request.choices.measures.views);
    addFitWithVertices(command, request.choices.fit, request.vertices,
                       "Vertices of the fitted mesh");
}

void addMeasures(CLI::App& command, EvalRequest& request) {
    addSettingWord(command, setting::protocol, [&request](const std::string& word) {
        request.choices.measures.protocols = protocolsOf(word);
    });
    addSetting(command, setting::tau, request.choices.measures.tau);
    addSetting(command, setting::earthMovers, request.choices.measures.earthMovers);
    addSetting(command, setting::keptTruthPoints, request.choices.truthPoints);
    addSettingWord(command, setting::measureOn, [&request](const std::string& word) {
        request.measureOn.reset();
        if (word != "auto")
            request.measureOn = word == "gpu" ? MeasuringDevice::gpu : MeasuringDevice::processor;
    });
    addSettingWord(command, setting::stepTimes, [&request](const std::string& word) {
        request.timedBatches = word == "all"       ? TimedBatches::all
                               : word == "sampled" ? TimedBatches::sampled
                                                   : TimedBatches::none;
    });
    addSetting(command, setting::warmUp, request.choices.warmUpRuns);
}

void addRunning(CLI::App& command, EvalRequest& request) {
    CLI::Option* const resume =
        command.add_flag("--resume", request.output.resume,
                         "Continue the run in DIR; failed samples are tried again");
    command
        .add_flag("--overwrite", request.output.overwrite, "Delete the run in DIR and start over")
        ->excludes(resume);
    command
        .add_option_function<std::string>(
            "--shard",
            [&request](const std::string& word) { request.choices.shard = shardFromText(word); },
            "Part i of n of the list, for several machines; `threefold merge` joins them")
        ->option_text("i/n");
    addSetting(command, setting::loaders, request.pipeline.loaders);
    addSetting(command, setting::finishers, request.pipeline.finishers);
    addMebibytes(command, setting::pipelineMemory, request.pipeline.memoryBytes);
    addSetting(command, setting::batch, request.pipeline.batch);
    addSetting(command, setting::batchWait, request.pipeline.maxWaitMilliseconds);
    addSetting(command, setting::meshes, request.output.meshes);
    addEmbed(command, request.output.embedded);
    addSetting(command, setting::trace, request.output.trace);
    addTargets(command, request.targets);
    command.add_option("--nvml", request.nvml)->group("");  // for tests
    command.add_flag("--json", request.output.json, "report.json on standard output");
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
        request->model.quantisationImageRoot = request->sources.imageRoot;
        return eval(*request);
    });
}

}  // namespace threefold
