#include <algorithm>
#include <memory>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include "app/commands/commands.h"
#include "app/console/interrupt.h"
#include "app/eval/outcome.h"
#include "app/options/add_option.h"
#include "app/options/embedded_meshes.h"
#include "app/options/output_folder.h"
#include "engine/error.h"
#include "engine/evaluation/journal/journal.h"
#include "engine/evaluation/journal/merge.h"
#include "engine/evaluation/report/write_reports.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMergeExamples =
    R"(Joins the results of `threefold eval --shard` on several machines into the reports of one run. The
parts must be of one run: the same list, model, views, protocols and τ. Mesh files stay where they
are; report.html embeds copies of the meshes that it shows in 3D.

Examples:
  threefold merge part1 part2 part3 part4 -o all
  threefold merge out -o sofar --partial          the reports of a run that is not finished)";

struct MergeRequest {
    std::vector<fs::path> folders;
    fs::path output;
    fs::path imageRoot;
    EmbeddedMeshes embedded = EmbeddedMeshes::shown;
    bool partial = false;
    bool overwrite = false;
    bool json = false;
};

void requireComplete(const MergedRun& merged) {
    if (merged.missingPositions.empty()) return;
    constexpr std::size_t kNamed = 5;
    std::string named;
    for (std::size_t i = 0; i < std::min(kNamed, merged.missingPositions.size()); ++i)
        named += fmt::format("{}{}", i > 0 ? ", " : "", merged.missingPositions[i] + 1);
    if (merged.missingPositions.size() > kNamed) named += ", …";
    throw InputError({"merge", "",
                      fmt::format("{} of {} samples are missing in all folders: {}",
                                  merged.missingPositions.size(),
                                  merged.run.description.identity.listSize, named),
                      "Finish their shards with --resume, name the folders that hold them, or add "
                      "--partial."});
}

void requireOutputApart(const MergeRequest& request) {
    std::error_code error;
    for (const fs::path& folder : request.folders) {
        if (!fs::equivalent(folder, request.output, error)) continue;
        throw UsageError({"-o", request.output.string(), "is one of the folders to be merged",
                          "Name another one."});
    }
}

ExitCode merge(const MergeRequest& request) {
    requireOutputApart(request);
    Interrupt interrupt;
    const Interrupt::ImmediateExit immediateExit(interrupt);
    const MergedRun merged = mergeRuns(request.folders);
    if (merged.damagedLines > 0)
        spdlog::warn("{} lines of the journals were torn or damaged", merged.damagedLines);
    if (merged.truthFolders.size() > 1)
        spdlog::warn(
            "the truths were in different folders, {}: the parts are comparable only if the "
            "folders have the same content",
            fmt::join(merged.truthFolders, " and "));
    if (!request.partial) requireComplete(merged);
    const OutputFolder folder(request.output);
    writeJournal(request.output, merged.run,
                 request.overwrite ? ExistingRun::overwrite : ExistingRun::refuse);
    copyShownThumbnails(merged, request.output);
    return reportOutcome(merged.run, request.output, request.json, {},
                         {.imageRoot = request.imageRoot,
                          .embedded = request.embedded,
                          .meshFolders = merged.sourceFolders});
}

}  // namespace

void addMerge(CLI::App& program, CommandLine& line) {
    auto request = std::make_shared<MergeRequest>();
    CLI::App& command = addCommand(
        program, "merge", "Join the parts of an evaluation into one report", kMergeExamples);
    addValue(command, "DIR", request->folders, "DIR...", "Folders that `threefold eval` wrote to")
        ->required();
    addValue(command, "-o,--output", request->output, "DIR",
             "Folder for the reports, created if missing")
        ->required();
    addValue(command, "--images", request->imageRoot, "ROOT",
             "Folder of the list's samples, from which the report takes photographs and truths");
    addEmbed(command, request->embedded);
    command.add_flag("--partial", request->partial, "Allow missing samples");
    command.add_flag("--overwrite", request->overwrite, "Replace a run that is in the folder");
    command.add_flag("--json", request->json, "report.json on standard output");
    setAction(command, line, [request] { return merge(*request); });
}

}  // namespace threefold
