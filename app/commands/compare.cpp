#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include "app/commands/commands.h"
#include "app/compare/comparison_text.h"
#include "app/compare/requirements.h"
#include "app/compare/sides.h"
#include "app/configuration/bind_settings.h"
#include "app/configuration/number_range.h"
#include "app/configuration/setting.h"
#include "app/console/interrupt.h"
#include "app/console/output.h"
#include "app/options/add_option.h"
#include "app/options/model_options.h"
#include "app/options/output_folder.h"
#include "app/options/sample_options.h"
#include "engine/comparison/compare_runs.h"
#include "engine/comparison/comparison_page.h"
#include "engine/comparison/comparison_tables.h"
#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/text.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr fmt::format_string<std::string> kCompareExamples =
    R"(A, B, C … are each a folder that `threefold eval` wrote, a folder of another program's meshes
(NAME_predict.obj or NAME.obj, in the space of the view's camera), a model file, or a choice such as
cpu:float32, cpu:bfloat16, cuda:float16, cuda:library. Models and back ends first run over
--list: after a warm-up, sample by sample in turns. Each of the others is compared with A. × is
the geometric mean of the samples' ratios of times; intervals are of 95 %, over resampled samples.

--require: bounds that must be kept, else the exit code is 1. Keys, with >=, <=, > or <:
{}
Examples:
  threefold compare out/before out/now
  threefold compare cpu:float32 cpu:bfloat16 --list test.txt --images R --gt G
  threefold compare old.safetensors new.safetensors --list test.txt --images R -o page --figures 8
  threefold compare out/before out/now --require 'speedup>=1.2, agreement>=99, f_tau>=-0.5'
  threefold compare out/before out/now --require 'network<=50, slowest<=100, B.f_tau>=55')";

struct CompareRequest {
    std::vector<std::string> sides;
    ComparedSamples samples;
    fs::path output;
    std::size_t figures = 0;
    std::string requirements;
    bool json = false;
};

void check(const CompareRequest& request, std::span<const ComparedSide> sides) {
    if (sides.size() < 2)
        throw UsageError({"compare", request.sides.front(), "has nothing to be compared with",
                          "Name two or more runs, models or choices."});
    const auto waiting = std::ranges::find_if(sides, &ComparedSide::needsList);
    if (waiting != sides.end() && request.samples.source.empty())
        throw UsageError({waiting->name, "", "is not a finished run, so it needs a list of samples",
                          "Add --list, and --images and --gt where the list needs them."});
    if (request.figures > 0 && request.output.empty())
        throw UsageError({"--figures", "", "has no folder to write them to", "Add -o DIR."});
}

/// Warns of each run's failed samples. Returns whether there are any.
bool warnOfFailures(std::span<const ComparedRun> runs) {
    bool failed = false;
    for (const ComparedRun& run : runs) {
        const auto& records = run.evaluation.records;
        const auto done = std::ranges::count_if(records, &SampleRecord::succeeded);
        const auto first = std::ranges::find_if_not(records, &SampleRecord::succeeded);
        if (first == records.end()) continue;
        failed = true;
        spdlog::warn("{}: {} of {} samples failed; the first: {}", run.name,
                     std::ssize(records) - done, records.size(), escapeControls(first->error));
    }
    return failed;
}

/// Comparisons of all runs with the first one, under each protocol.
struct ComparisonOutcome {
    std::vector<Comparison> comparisons;  ///< by protocol, then by run
    bool violated = false;                ///< at least one requirement is violated
};

/// Compares the runs and prints each comparison, or all comparisons as one JSON document.
ComparisonOutcome compareAll(const CompareRequest& request, const std::vector<ComparedRun>& runs,
                             const std::vector<Requirement>& requirements) {
    ComparisonOutcome outcome;
    auto documents = nlohmann::ordered_json::array();
    for (const Protocol protocol : request.samples.protocols)
        for (std::size_t i = 1; i < runs.size(); ++i) {
            Comparison each = compareRuns(runs.front(), runs[i], protocol);
            const std::vector<std::string> violations = violatedRequirements(each, requirements);
            if (request.json) {
                documents.push_back(comparisonJson(runs.front(), runs[i], each));
                documents.back()["broken"] = violations;
            } else {
                printText((outcome.comparisons.empty() ? "" : "\n") +
                          comparisonText(runs.front(), runs[i], each));
            }
            for (const std::string& why : violations) spdlog::error("{}: {}", runs[i].name, why);
            outcome.violated = outcome.violated || !violations.empty();
            outcome.comparisons.push_back(std::move(each));
        }
    if (request.json) printJson({{"comparisons", documents}});
    return outcome;
}

/// Throws UsageError if the folder holds a file that has the name of a picture but is none: which
/// names the pictures get is known only after the runs.
void requireReplaceableFigures(const std::filesystem::path& folder) {
    for (const std::filesystem::path& file : tryListFolder(folder))
        if (file.extension() == ".png") requireReplaceable("-o", file, "\x89PNG", "a PNG");
    if (isFolder(folder)) requireReplaceable("-o", folder / "sheet.svg", "<svg ", "an SVG");
}

ExitCode compare(const CompareRequest& request, const ModelOptions& model) {
    std::vector<ComparedSide> sides;
    for (const std::string& text : request.sides) sides.push_back(parseSide(text, model));
    check(request, sides);
    const std::vector<Requirement> requirements = request.requirements.empty()
                                                      ? std::vector<Requirement>{}
                                                      : requirementsFrom(request.requirements);
    std::optional<OutputFolder> folder;
    if (!request.output.empty()) {
        folder.emplace(request.output);
        requireReplaceable("-o", request.output / kComparisonPageName, kComparisonPageStart,
                           "a comparison");
        if (request.figures > 0) requireReplaceableFigures(request.output / "figures");
    }
    std::optional<Interrupt> interrupt;  // none if runs are only read: Ctrl-C may end the process
    if (std::ranges::any_of(sides, &ComparedSide::needsList)) interrupt.emplace();
    const std::vector<ComparedRun> runs =
        runSides(sides, request.samples, interrupt ? interrupt->token() : std::stop_token());
    interrupt.reset();
    const bool failed = warnOfFailures(runs);
    ComparisonOutcome outcome = compareAll(request, runs, requirements);
    if (!request.output.empty()) {
        outcome.comparisons.resize(runs.size() - 1);  // keeps the comparisons of the first protocol
        const fs::path page = writeComparisonPage(request.output, runs, outcome.comparisons,
                                                  request.figures, request.samples.imageRoot);
        if (!request.json) printText(fmt::format("\n{}\n", page.string()));
    }
    if (outcome.violated) return ExitCode::failed;
    return failed ? ExitCode::someFailed : ExitCode::done;
}

}  // namespace

void addCompare(CLI::App& program, CommandLine& line) {
    constexpr int kMaxFigures = 1'000'000;
    auto request = std::make_shared<CompareRequest>();
    CLI::App& command =
        addCommand(program, "compare", "Compare runs, models or precisions on the same samples",
                   fmt::format(kCompareExamples, requirementKeys()));
    addValue(command, "A", request->sides, "A B...",
             "Two or more runs, models or choices (see below)")
        ->required();
    addValue(command, "--list", request->samples.source, "LIST",
             "Test list (- for standard input), data set's folder, or sample to run over");
    addListRoots(command, request->samples.imageRoot, request->samples.truthRoot);
    addSettingWord(command, setting::protocol, [request](const std::string& word) {
        request->samples.protocols = protocolsOf(word);
    });
    addValue(command, "--runs", request->samples.runs, "N",
             fmt::format("Runs of each sample; their median counts; {} if not given",
                         request->samples.runs))
        ->check(numberValidator(NumberRange::wholeNumber(1, 1000)));
    addValue(command, "-o,--output", request->output, "DIR",
             "Folder for compare.html and the pictures of --figures");
    addValue(command, "--figures", request->figures, "N",
             "The N samples that differ most as PNG, and all as one SVG with captions")
        ->check(numberValidator(NumberRange::wholeNumber(0, kMaxFigures)));
    addValue(command, "--require", request->requirements, "BOUNDS",
             "Bounds that decide the exit code, see below");
    command.add_flag("--json", request->json, "One JSON document on standard output");
    addModelOptions(command, line.model);
    setAction(command, line, [&line, request] { return compare(*request, line.model); });
}

}  // namespace threefold
