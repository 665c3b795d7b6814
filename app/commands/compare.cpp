#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include "app/commands/commands.h"
#include "app/compare/outcome.h"
#include "app/compare/requirements.h"
#include "app/compare/sides.h"
#include "app/configuration/configuration.h"
#include "app/console/interrupt.h"
#include "app/console/output.h"
#include "app/options/options.h"
#include "engine/comparison/comparison_page.h"
#include "engine/error.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/json_list.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr fmt::format_string<std::string> kCompareExamples =
    R"(A, B, C … are each a folder that `threefold eval` wrote, a folder of another program's meshes
(NAME_predict.obj or NAME.obj, in the space of the view's camera), a model file, or a choice such as
cpu:float32, cpu:bfloat16, cuda:float16, cuda:library. What is no run yet runs over --list: warmed up,
sample by sample in turns. Each of the others is compared with A. × is the geometric mean of the
samples' ratios of times; intervals are of 95 %, over resampled samples.

--require: bounds for what B is to A, else the exit code is 1. Keys, with >=, <=, > or <:
{}  f_tau, chamfer … mean difference B − A of a measure, as the table shows it

Examples:
  threefold compare out/before out/now
  threefold compare cpu:float32 cpu:bfloat16 --list test.txt --images R --gt G
  threefold compare old.safetensors new.safetensors --list test.txt --images R -o page --figures 8
  threefold compare out/before out/now --require 'speedup>=1.2, agreement>=99, f_tau>=-0.5')";

struct CompareRequest {
    std::vector<std::string> words;
    CompareList list;
    std::string protocol;
    fs::path output;
    std::size_t figures = 0;
    std::string requirements;
    bool json = false;
};

void check(const CompareRequest& request, std::span<const ComparedSide> sides) {
    if (sides.size() < 2)
        throw UsageError({"compare", request.words.front(), "has nothing to be compared with",
                          "Name two or more runs, models or choices."});
    const auto waiting = std::ranges::find_if(sides, &ComparedSide::needsList);
    if (waiting != sides.end() && request.list.list.empty())
        throw UsageError({waiting->name, "", "is no run yet, and there is no list to run it over",
                          "Add --list, and --images and --gt where the list needs them."});
    if (request.figures > 0 && request.output.empty())
        throw UsageError({"--figures", "", "has no folder to write them to", "Add -o DIR."});
}

ExitCode compare(CompareRequest request, const ModelOptions& model) {
    std::vector<ComparedSide> sides;
    for (const std::string& word : request.words) sides.push_back(sideFromWord(word, model));
    check(request, sides);
    const std::vector<Requirement> requirements = request.requirements.empty()
                                                      ? std::vector<Requirement>{}
                                                      : requirementsFrom(request.requirements);
    request.list.protocols = protocolsOf(request.protocol);
    const Interrupt interrupt;
    double busy = 0;
    const std::vector<ComparedRun> runs = runSides(sides, request.list, interrupt.token(), busy);
    constexpr double kBusy = 0.1;
    if (busy > kBusy)
        spdlog::warn(
            "other programs used {:.0f} % of the processors before the runs: times may be "
            "theirs",
            100 * busy);
    std::vector<Comparison> made;
    bool broken = false;
    auto documents = nlohmann::ordered_json::array();
    for (std::size_t i = 1; i < runs.size(); ++i) {
        made.push_back(compareRuns(runs.front(), runs[i]));
        const std::vector<std::string> failures = brokenRequirements(made.back(), requirements);
        if (request.json) {
            documents.push_back(comparisonJson(runs.front(), runs[i], made.back()));
            documents.back()["broken"] = failures;
        } else {
            printText((i > 1 ? "\n" : "") + comparisonText(runs.front(), runs[i], made.back()));
        }
        for (const std::string& each : failures) spdlog::error("{}: {}", runs[i].name, each);
        broken = broken || !failures.empty();
    }
    if (request.json) printJson({{"comparisons", documents}});
    if (!request.output.empty()) {
        const fs::path page =
            writeComparison(request.output, runs, made, request.figures, request.list.imageRoot);
        if (!request.json) printText(fmt::format("\n{}\n", page.string()));
    }
    return broken ? ExitCode::failed : ExitCode::done;
}

}  // namespace

void addCompare(CLI::App& program, CommandLine& line) {
    auto request = std::make_shared<CompareRequest>();
    CLI::App& command =
        addCommand(program, "compare", "Compare runs, models or precisions on the same samples",
                   fmt::format(kCompareExamples, requirementKeys()));
    addValue(command, "A", request->words, "A B...", "What to compare, see below")->required();
    addValue(command, "--list", request->list.list, "LIST",
             "Test list, data set's folder, or sample to run over");
    addValue(command, "--images", request->list.imageRoot, "ROOT",
             "Where names of a list are looked for: the ShapeNetRendering folder");
    addValue(command, "--gt", request->list.truthRoot, "ROOT", "Where the truths are, as for eval");
    addKnob(command, knob::protocol, request->protocol);
    addValue(command, "--runs", request->list.runs, "N",
             "Runs of each sample; their median counts; 3 if not given")
        ->check(CLI::Range(1, 1000));
    addValue(command, "-o,--output", request->output, "DIR",
             "Write compare.html there, and what --figures asks for");
    addValue(command, "--figures", request->figures, "N",
             "The N samples that differ most as PNG, and all as one SVG with captions");
    addValue(command, "--require", request->requirements, "BOUNDS",
             "Bounds that decide the exit code, see below");
    command.add_flag("--json", request->json, "One JSON document on standard output");
    addModelOptions(command, line.model);
    setAction(command, line, [&line, request] { return compare(*request, line.model); });
}

}  // namespace threefold
