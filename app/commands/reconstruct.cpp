#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include "app/commands/commands.h"
#include "app/configuration/knob_option.h"
#include "app/console/interrupt.h"
#include "app/console/output.h"
#include "app/options/open_backend.h"
#include "app/options/sample_list.h"
#include "app/options/value_option.h"
#include "app/reconstruct/output_folder.h"
#include "app/reconstruct/request.h"
#include "app/reconstruct/result_output.h"
#include "app/reconstruct/run_samples.h"
#include "engine/profile/trace.h"
#include "engine/sample/sample.h"

namespace threefold {
namespace {

constexpr const char* kReconstructExamples =
    R"(A SAMPLE is an item's folder, its rendering folder, one of its images, a name such as
02691156_p0001_00.dat together with --images, or a list of such names in a .txt file. Photographs of
your own: a folder with a transforms.json (NeRF, instant-ngp, nerfstudio), a cameras.json (4×4
matrices and intrinsics) or COLMAP's cameras.txt and images.txt, or such a file itself. Where the
object is in them follows from their white or transparent background, or is said by --object-centre
and --object-size; 'threefold inspect' shows it. docs/OWN_DATA.md has examples.

Examples:
  threefold reconstruct ShapeNetRendering/02691156/p0001 -o out
  threefold reconstruct list.txt --images ShapeNetRendering --gt gt -o out --json
  threefold reconstruct p0001 --views 0,3,9,15 --level all --format obj -o out
  threefold reconstruct p0001 --fit all -o out
  threefold reconstruct mug/transforms.json --views 0,3,7 --frame world -o out)";

void report(const SampleResult& result, bool json) {
    for (const std::string& note : result.notes) spdlog::info("{}: {}", result.name, note);
    if (!result.missingImages.empty()) spdlog::warn("{}: {}", result.name, result.missingImages);
    if (result.fit) {
        for (const std::string& note : result.fit->notes) spdlog::warn("{}: {}", result.name, note);
    }
    for (const std::string& warning : {result.maskWarning, result.warning, result.fitWarning}) {
        if (!warning.empty()) spdlog::warn("{}", warning);
    }
    if (!result.done()) {
        spdlog::error("{}", result.error);
    } else if (!json) {
        printText(resultLine(result));
    }
}

/// Three numbers with commas between them.
void addVector(CLI::App& command, const std::string& name, std::optional<glm::dvec3>& value,
               const std::string& help) {
    command
        .add_option_function<std::vector<double>>(
            name,
            [&value](const std::vector<double>& numbers) {
                value = glm::dvec3(numbers.at(0), numbers.at(1), numbers.at(2));
            },
            help)
        ->delimiter(',')
        ->expected(3)
        ->option_text("X,Y,Z");
}

ExitCode reconstruct(const ReconstructRequest& request) {
    checkViews(request.views);
    checkObject(request.object);
    const std::vector<NamedSample> samples = expandSamples(request.samples);
    if (const std::string warning = viewCountWarning(request.views.size()); !warning.empty())
        spdlog::warn("{}", warning);
    const Interrupt interrupt;
    const OutputFolder folder(request.output);
    requireReplaceable("--trace", request.trace, kChromeTraceStart, "a trace");
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
    return cancelled ? ExitCode::failed : exitCodeOf(results, &SampleResult::done);
}

}  // namespace

void addReconstruct(CLI::App& program, CommandLine& line) {
    auto request = std::make_shared<ReconstructRequest>();
    CLI::App& command = addCommand(program, "reconstruct", "Reconstruct samples without a window",
                                   kReconstructExamples);
    addValue(command, "samples", request->samples, "SAMPLE...", "What to reconstruct")->required();
    addValue(command, "-o,--output", request->output, "DIR",
             "Folder for the meshes, made if missing")
        ->required();
    addKnob(command, knob::views, request->views);
    addKnob(command, knob::formats, request->formats);
    addKnob(command, knob::level, request->level);
    addFit(command, request->fit);
    addKnob(command, knob::frame, request->frame);
    addValue(command, "--gt", request->truthRoot, "ROOT",
             "Where {category}_{item}_{view}.dat files are, or .obj, .npz …");
    addTruthSpace(command, request->truthSpace);
    addValue(command, "--images", request->imageRoot, "ROOT",
             "Where names of a list are looked for");
    addVector(command, "--object-centre", request->object.centre,
              "Where the object's middle is, in the world of your own cameras");
    addValue(command, "--object-size", request->object.size, "D",
             "Diagonal of the object's bounding box, in the units of your own cameras");
    addVector(command, "--object-up", request->object.up,
              "Which way is up for the object, in the world of your own cameras");
    addValue(command, "--trace", request->trace, "FILE",
             "Where the time went, for chrome://tracing; replaces only a trace");
    command.add_flag("--json", request->json, "One JSON document on standard output");
    addModelOptions(command, line.model);
    setAction(command, line, [&line, request] {
        request->model = line.model;
        request->model.calibrationImages = request->imageRoot;
        return reconstruct(*request);
    });
}

}  // namespace threefold
