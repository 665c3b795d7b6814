#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "app/commands/commands.h"
#include "app/console/interrupt.h"
#include "app/console/output.h"
#include "app/eval/outcome.h"
#include "app/eval/progress.h"
#include "app/eval/seed_flags.h"
#include "app/options/model_options.h"
#include "app/options/open_backend.h"
#include "app/options/protocols.h"
#include "app/options/tau.h"
#include "app/options/truth_space.h"
#include "app/reconstruct/output_folder.h"
#include "app/reconstruct/request.h"
#include "engine/error.h"
#include "engine/evaluation/describe_run.h"
#include "engine/evaluation/evaluate_list.h"
#include "engine/evaluation/evaluation_list.h"
#include "engine/evaluation/journal.h"
#include "engine/evaluation/machine.h"

namespace threefold {
namespace {

constexpr const char* kExamples =
    R"(LIST is a test list (a .txt file with names such as 02691156_p0001_00.dat, one a line), a data
set's folder, or a sample, photographs of your own included (docs/OWN_DATA.md). A list beside its
ShapeNetRendering and gt folders needs neither --images nor --gt. A sample without a ground truth
gets no scores, but a mesh and the overlap of its silhouettes with the photographs; with --gt it is
an error.

The folder holds one run. Finished samples are kept at once: after Ctrl-C, a full disk or a power
cut, the same command with --resume goes on, and ends in the same files.

Examples:
  threefold eval test.txt --images ShapeNetRendering --gt gt -o out
  threefold eval test.txt --images ShapeNetRendering --gt gt -o out --resume
  threefold eval test.txt --images R --gt G -o part2 --shard 2/4     and then: threefold merge
  threefold eval --test_file test.txt --image_root R --gt_root G --output_dir out --no-amp)";

constexpr const char* kResume = "the same command with --resume goes on from there";
constexpr std::size_t kTrainedViews = 3;
constexpr std::size_t kLargestBatch = 4096;
constexpr int kMostWarmUp = 1'000'000;

/// Everything that `threefold eval` is asked.
struct EvalRequest {
    ModelOptions model;
    SeedFlags seed;
    std::filesystem::path list;
    std::filesystem::path imageRoot;
    std::filesystem::path truthRoot;
    TruthSpace truthSpace = TruthSpace::unset;
    std::filesystem::path output;
    std::vector<int> views;              ///< none: as defaultViews() has it
    std::string protocol = "published";  ///< or "surface", "both"
    double tau = kTau;
    int warmUpRuns = -1;  ///< -1: as many as the device needs
    std::string shard = "1/1";
    std::size_t batch = 0;  ///< 0: as many as the device likes
    bool resume = false;
    bool overwrite = false;
    bool earthMovers = false;
    bool meshes = true;
    bool json = false;

    JournalStart start() const {
        if (overwrite) return JournalStart::overwrite;
        return resume ? JournalStart::resume : JournalStart::fresh;
    }
};

/// A mistyped root is one mistake, not one a sample.
void requireFolder(const char* flag, const std::filesystem::path& folder) {
    std::error_code error;
    if (folder.empty() || std::filesystem::is_directory(folder, error)) return;
    throw InputError(
        {folder.string(), "", "is not a folder", fmt::format("Name one with {}.", flag)});
}

/// Throws UsageError and InputError for what no sample can make right.
void checkRequest(const EvalRequest& request) {
    requireFolder("--images", request.imageRoot);
    requireFolder("--gt", request.truthRoot);
    if (!request.views.empty()) checkViews(request.views);
    shardFromText(request.shard);
    checkTau(request.tau);
}

RunDescription describeRun(const EvalRequest& request, const EvaluationList& list,
                           const OpenedBackend& opened) {
    RunChoices choices;
    choices.views = request.views;
    choices.protocols = protocolsOf(request.protocol);
    choices.tau = request.tau;
    choices.earthMovers = request.earthMovers;
    choices.truthSpace = request.truthSpace;
    choices.shard = shardFromText(request.shard);
    choices.warmUpRuns = request.warmUpRuns;
    return describeRun(list, choices, *opened.backend,
                       describeMachine(request.model.threads, opened.gpu ? &*opened.gpu : nullptr));
}

ListRunOptions runOptions(const EvalRequest& request, const OpenedBackend& opened) {
    ListRunOptions options;
    options.imageRoot = request.imageRoot;
    options.truthRoot = request.truthRoot;
    options.meshes = request.meshes;
    fitToDevice(options, opened.gpu.has_value(), request.batch);
    return options;
}

/// Samples whose record stands: the others are done now.
std::vector<SampleRecord> finishedBefore(const Journal& journal, const EvalRequest& request,
                                         const ListRunOptions& options) {
    std::vector<SampleRecord> records;
    for (const auto& [position, record] : journal.contents().records) {
        if (isFinished(record, request.output, options)) records.push_back(record);
    }
    return records;
}

ExitCode evaluate(const EvalRequest& request, const EvaluationList& list, OpenedBackend& opened,
                  Journal& journal, const std::stop_token& cancel) {
    ListRunOptions options = runOptions(request, opened);
    options.cancel = cancel;
    const std::size_t total = entriesOf(list, journal.contents().about.shard).size();
    try {
        {
            EvalProgress progress(total, finishedBefore(journal, request, options));
            options.kept = [&](const SampleRecord& record) { progress.add(record); };
            evaluateList(*opened.backend, list, journal, request.output, options);
        }
        return tellOutcome(journal.run(), request.output, request.json);
    } catch (const Cancelled&) {
        spdlog::error("cancelled: {} of {} samples are done and kept; {}",
                      journal.contents().done(), total, kResume);
    } catch (const OutputClosed&) {
        throw;
    } catch (const Error& error) {
        spdlog::error("{}", error.what());
        spdlog::error("{} of {} samples are done and kept; {}", journal.contents().done(), total,
                      kResume);
    }
    return ExitCode::failed;
}

ExitCode eval(EvalRequest request) {
    checkRequest(request);
    const Interrupt interrupt;
    const EvaluationList list = readEvaluationList(request.list, interrupt.token());
    if (!request.views.empty() && request.views.size() != kTrainedViews) {
        spdlog::warn("{} views: the model was trained with {}; expect a rougher mesh",
                     request.views.size(), kTrainedViews);
    }
    const OutputFolder folder(request.output);
    applySeedFlags(request.seed, request.model);
    OpenedBackend opened = openBackend(request.model, {.stageTimes = false});
    Journal journal(request.output, describeRun(request, list, opened), request.start());
    if (const std::size_t damaged = journal.contents().damagedLines; damaged > 0) {
        spdlog::warn("{}: {} line{} torn or damaged: those samples are done again",
                     (request.output / kJournalName).string(), damaged,
                     damaged == 1 ? " was" : "s were");
    }
    return evaluate(request, list, opened, journal, interrupt.token());
}

void addInputs(CLI::App& command, EvalRequest& request) {
    command
        .add_option("LIST,--test_file,--eval_list", request.list,
                    "Test list, data set's folder, or sample")
        ->required()
        ->option_text("LIST");
    command
        .add_option("--images,--image_root", request.imageRoot,
                    "Where names of a list are looked for: the ShapeNetRendering folder")
        ->option_text("ROOT");
    command
        .add_option("--gt,--gt_root", request.truthRoot,
                    "Where {category}_{item}_{view}.dat files are, or .obj, .npz …: every sample "
                    "must have one there")
        ->option_text("ROOT");
    addTruthSpace(command, request.truthSpace);
    command
        .add_option("-o,--output,--output_dir", request.output,
                    "Folder for reports and meshes, made if missing")
        ->required()
        ->option_text("DIR");
    command
        .add_option("--views", request.views,
                    "2 to 8 views; 0,6,7 if not given, and of your own photographs three spread "
                    "evenly")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->option_text("N,N,...");
}

void addMeasures(CLI::App& command, EvalRequest& request) {
    addProtocols(command, request.protocol);
    command
        .add_option("--tau", request.tau,
                    "Threshold on squared distances, object units²; 1e-4 if not given")
        ->option_text("T");
    command.add_flag("--emd", request.earthMovers,
                     "Also the earth mover's distance of both meshes, in seconds a sample on two "
                     "cores: 2 to 4 under the published protocol (6500 true points), 6 to 12 under "
                     "surface (10 000 against 6500)");
    command
        .add_option("--warmup,--warmup-iters", request.warmUpRuns,
                    "Runs of the network before the first that counts; 15 on a GPU, 1 on the "
                    "processor if not given")
        ->check(CLI::Range(0, kMostWarmUp))
        ->option_text("N");
}

void addRunning(CLI::App& command, EvalRequest& request) {
    CLI::Option* const resume =
        command.add_flag("--resume", request.resume,
                         "Go on with the run in DIR; samples that failed are tried again");
    command.add_flag("--overwrite", request.overwrite, "Forget the run in DIR, begin anew")
        ->excludes(resume);
    command
        .add_option("--shard", request.shard,
                    "Part i of n of the list, for several machines; `threefold merge` joins them")
        ->option_text("i/n");
    command
        .add_option("--batch", request.batch,
                    "Samples that the network is given at once; 16 on a GPU, 1 on the processor")
        ->check(CLI::Range(std::size_t{1}, kLargestBatch))
        ->option_text("N");
    command.add_flag("--meshes,!--no-meshes", request.meshes,
                     "Write {sample}_predict.obj and .xyz (the default), or no meshes");
    command.add_flag("--json", request.json, "report.json on standard output");
}

}  // namespace

void addEval(CLI::App& program, CommandLine& line) {
    auto request = std::make_shared<EvalRequest>();
    CLI::App& command =
        *program.add_subcommand("eval", "A list of samples to the table of the paper");
    command.footer(kExamples);
    addInputs(command, *request);
    addMeasures(command, *request);
    addRunning(command, *request);
    addModelOptions(command, line.model);
    addSeedFlags(command, request->seed);
    addVerbose(command, line);
    command.callback([&line, request] {
        line.action = [&line, request] {
            request->model = line.model;
            request->model.calibrationImages = request->imageRoot;
            return eval(*request);
        };
    });
}

}  // namespace threefold
