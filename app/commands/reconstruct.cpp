#include <algorithm>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include "app/commands/commands.h"
#include "app/console/interrupt.h"
#include "app/console/output.h"
#include "app/options/open_backend.h"
#include "app/options/sample_list.h"
#include "app/reconstruct/output_folder.h"
#include "app/reconstruct/report.h"
#include "app/reconstruct/request.h"
#include "app/reconstruct/run_samples.h"
#include "engine/profile/trace.h"
#include "engine/sample/sample.h"

namespace threefold {
namespace {

constexpr const char* kExamples =
    R"(A SAMPLE is an item's folder, its rendering folder, one of its images, a name such as
02691156_p0001_00.dat together with --images, or a list of such names in a .txt file.

Examples:
  threefold reconstruct ShapeNetRendering/02691156/p0001 -o out
  threefold reconstruct list.txt --images ShapeNetRendering --gt gt -o out --json
  threefold reconstruct p0001 --views 0,3,9,15 --level all --format obj -o out)";

constexpr std::size_t kTrainedViews = 3;

void report(const SampleResult& result, bool json) {
    if (!result.warning.empty()) spdlog::warn("{}", result.warning);
    if (!result.done()) {
        spdlog::error("{}", result.error);
    } else if (!json) {
        printText(resultLine(result));
    }
}

ExitCode exitCode(const std::vector<SampleResult>& results, bool cancelled) {
    const bool anyDone = std::any_of(results.begin(), results.end(),
                                     [](const SampleResult& result) { return result.done(); });
    const bool allDone = std::all_of(results.begin(), results.end(),
                                     [](const SampleResult& result) { return result.done(); });
    if (cancelled || !anyDone) return ExitCode::failed;
    return allDone ? ExitCode::done : ExitCode::someFailed;
}

ExitCode reconstruct(const ReconstructRequest& request) {
    checkViews(request.views);
    const std::vector<std::string> samples = expandSamples(request.samples);
    if (request.views.size() != kTrainedViews) {
        spdlog::warn("{} views: the model was trained with {}; expect a rougher mesh",
                     request.views.size(), kTrainedViews);
    }
    const Interrupt interrupt;
    const OutputFolder folder(request.output);
    const OpenedBackend opened = openBackend(request.model);
    Spans spans;
    const auto results = runSamples(
        *opened.backend, request, folder.path(), samples, interrupt.token(),
        [&](const SampleResult& result) { report(result, request.json); }, spans);
    if (!request.trace.empty()) writeChromeTrace(request.trace, spans);
    const bool cancelled = interrupt.requested() && results.size() < samples.size();
    if (cancelled) {
        spdlog::error("cancelled: {} of {} samples were finished", results.size(), samples.size());
    }
    if (request.json) printJson(reconstructJson(*opened.backend, request, results, cancelled));
    return exitCode(results, cancelled);
}

}  // namespace

void addReconstruct(CLI::App& program, CommandLine& line) {
    auto request = std::make_shared<ReconstructRequest>();
    request->views = kPublishedViews;
    request->formats = {"obj", "xyz"};
    request->level = "refined";
    request->frame = "camera";

    CLI::App& command = *program.add_subcommand("reconstruct", "Samples to meshes, headless");
    command.footer(kExamples);
    command.add_option("samples", request->samples, "What to reconstruct")
        ->required()
        ->option_text("SAMPLE...");
    command.add_option("-o,--output", request->output, "Folder for the meshes, made if missing")
        ->required()
        ->option_text("DIR");
    command.add_option("--views", request->views, "2 to 8 views, 0,6,7 if not given")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->option_text("N,N,...");
    command.add_option("--format", request->formats, "obj,xyz (the default), ply, stl, glb")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::IsMember({"obj", "xyz", "ply", "stl", "glb"}))
        ->option_text("NAME,...");
    command
        .add_option("--level", request->level,
                    "refined ({sample}_predict, the default), coarse ({sample}_coarse), or all")
        ->check(CLI::IsMember({"coarse", "refined", "all"}))
        ->option_text("NAME");
    command
        .add_option("--frame", request->frame,
                    "Coordinates: camera (of the first view, the default) or world (ShapeNet's)")
        ->check(CLI::IsMember({"camera", "world"}))
        ->option_text("NAME");
    command
        .add_option("--gt", request->truthRoot,
                    "Where {category}_{item}_{view}.dat files are, or .obj, .npz …")
        ->option_text("ROOT");
    addTruthSpace(command, request->truthSpace);
    command.add_option("--images", request->imageRoot, "Where names of a list are looked for")
        ->option_text("ROOT");
    command.add_option("--trace", request->trace, "Where the time went, for chrome://tracing")
        ->option_text("FILE");
    command.add_flag("--json", request->json, "One JSON document on standard output");
    addModelOptions(command, line.model);
    addVerbose(command, line);
    command.callback([&line, request] {
        line.action = [&line, request] {
            request->model = line.model;
            request->model.calibrationImages = request->imageRoot;
            return reconstruct(*request);
        };
    });
}

}  // namespace threefold
