#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include "app/commands/commands.h"
#include "app/configuration/bind_settings.h"
#include "app/configuration/number_range.h"
#include "app/configuration/setting.h"
#include "app/console/interrupt.h"
#include "app/console/output.h"
#include "app/options/add_option.h"
#include "app/options/fit_options.h"
#include "app/options/model_options.h"
#include "app/options/open_network.h"
#include "app/options/output_folder.h"
#include "app/options/sample_arguments.h"
#include "app/options/sample_options.h"
#include "app/reconstruct/request.h"
#include "app/reconstruct/result_json.h"
#include "app/reconstruct/result_text.h"
#include "app/reconstruct/run_samples.h"
#include "engine/cutout/cutout_files.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/reserved_file.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/pictures/mask_paths.h"
#include "engine/photo_cameras/board_photos.h"
#include "engine/profile/trace_format.h"
#include "engine/sample/sample.h"
#include "engine/sample/view_files.h"
#include "engine/views/left_out_view.h"

namespace threefold {
namespace {

constexpr const char* kReconstructExamples =
    R"(A SAMPLE is an object's folder, its rendering folder, one of its images, a name such as
02691156_p0001_00.dat together with --images, or a list of such names in a .txt file. Photographs of
your own: a folder with a transforms.json (NeRF, instant-ngp, nerfstudio), a cameras.json (4×4
matrices and intrinsics) or COLMAP's cameras.txt and images.txt, or such a file itself. The
object's position follows from their white or transparent background, or is given by --object-centre
and --object-size; 'threefold inspect' shows it. docs/OWN_DATA.md has examples. The exit code is 3
where a fitted mesh overlaps the masks by less than 0.8: it is written, but masks or cameras are
wrong.

Examples:
  threefold reconstruct ShapeNetRendering/02691156/p0001 -o out
  threefold reconstruct list.txt --images ShapeNetRendering --gt gt -o out --json
  threefold reconstruct p0001 --views 0,3,9,15 --stage all --format obj -o out
  threefold reconstruct p0001 --fit-views all -o out
  threefold reconstruct temple/cameras.json --hull -o out
  threefold reconstruct mug/transforms.json --views 0,3,7 --frame world -o out)";

void report(const SampleResult& result, bool json) {
    const std::string& name = result.found.name;
    for (const std::string& note : result.notes) spdlog::info("{}: {}", name, note);
    if (const auto& fit = result.fit) {
        if (fit->depth) spdlog::info("{}: {}", name, depthStepsText(*fit->depth));
        if (!fit->choice.empty()) spdlog::info("{}: {}", name, fit->choice);
        for (const std::string& remark : remarksOf(fit->result.leftOut, fit->notes))
            spdlog::warn("{}: {}", name, remark);
    }
    if (result.hull)
        for (const std::string& remark : remarksOf(result.hull->leftOut, result.hull->notes))
            spdlog::warn("{}: hull: {}", name, remark);
    for (const auto& [kind, text] : result.remarks)
        if (kind == RemarkKind::missingImages || kind == RemarkKind::defaultFit)
            spdlog::warn("{}: {}", name, text);
        else
            spdlog::warn("{}", text);
    if (!result.succeeded())
        spdlog::error("{}", result.error);
    else if (!json)
        printText(resultLine(result));
}

/// Adds an option of three comma-separated numbers.
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
        ->option_text("X,Y,Z")
        ->check(numberValidator(NumberRange::coordinate()));
}

/// Writes missing masks of the samples' photographs. Skips samples that are not found:
/// runSamples() reports them.
void cutOutSamples(const ReconstructRequest& request, const std::vector<SampleArgument>& samples,
                   const std::stop_token& cancel) {
    for (const SampleArgument& sample : samples) {
        std::vector<std::filesystem::path> images;
        try {
            images = sampleImages(sample.location, request.sources.imageRoot);
        } catch (const Error&) {
            continue;
        }
        std::erase_if(images, [](const auto& image) { return image.empty(); });
        const Stopwatch time;
        const std::vector<CutoutFile> files =
            cutOutFiles(images, {.cameraFileMasks = masksNamedByCameras(images, cancel)}, cancel);
        std::size_t written = 0;
        for (const CutoutFile& file : files) {
            if (!file.error.empty()) spdlog::warn("{}", file.error);
            if (!file.warning.empty()) spdlog::warn("{}", file.warning);
            written += file.fraction > 0 ? 1 : 0;
        }
        if (written > 0)
            spdlog::info("{}: {} of {} photographs cut out in {:.0f} ms, masks in {}",
                         sample.location, written, files.size(), time.milliseconds(),
                         ownMaskFile(images.front()).parent_path().string());
    }
}

/// Finds and writes the cameras of each sample that is a folder, by the printed board in its
/// photographs. A sample whose cameras are not found gets SampleArgument::problem, so that only
/// that sample fails.
void calibrateSamples(std::vector<SampleArgument>& samples, const std::stop_token& cancel) {
    for (SampleArgument& sample : samples) {
        if (!isFolder(sample.location)) continue;
        BoardCamerasResult result;
        try {
            result = findBoardCameras(listPhotographs(sample.location), {}, cancel);
        } catch (const Error& error) {
            sample.problem = error.report();
            continue;
        }
        for (const std::string& remark : problemsAndWarningsOf(result.photos))
            spdlog::warn("{}", remark);
        spdlog::info("{}: {} cameras by the board, {:.2f} pixels", sample.location,
                     result.calibration.cameras.size(), result.calibration.reprojectionError);
    }
}

ExitCode reconstruct(const ReconstructRequest& request) {
    requireValidPlacement(request.sources.object);
    const std::string textureNote = textureWarning(request.written);
    std::vector<SampleArgument> samples = expandSamples(request.sources.given);
    if (const std::string warning = viewCountWarning(request.sources.views.size());
        !warning.empty())
        spdlog::warn("{}", warning);
    if (!textureNote.empty()) spdlog::warn("{}", textureNote);
    Interrupt interrupt;
    OutputFolder folder(request.output);
    requireReplaceable("--trace", request.trace, kChromeTraceStart, "a trace");
    ReservedFile trace(request.trace, "the trace");
    const OpenedNetwork opened = [&] {
        const Interrupt::ImmediateExit immediateExit(interrupt, [&] { folder.removeIfEmpty(); });
        if (request.sources.findCamerasByBoard) calibrateSamples(samples, interrupt.token());
        if (request.sources.cutOutPhotographs) cutOutSamples(request, samples, interrupt.token());
        return openNetwork(request.model);
    }();
    Spans spans;
    const auto results = runSamples(
        *opened.network, request, folder.path(), samples, interrupt.token(),
        [&](const SampleResult& result) { report(result, request.json); }, spans);
    trace.release();
    requireReplaceable("--trace", request.trace, kChromeTraceStart, "a trace");
    if (!request.trace.empty()) writeFileAtomically(request.trace, formatChromeTrace(spans));
    const bool cancelled = interrupt.requested() && results.size() < samples.size();
    if (cancelled)
        spdlog::error("cancelled: {} of {} samples were finished", results.size(), samples.size());
    if (request.json)
        printJson(reconstructJson(opened.network->info(), request, results, cancelled));
    if (cancelled) return ExitCode::failed;
    const ExitCode code = exitCodeOf(results, &SampleResult::succeeded);
    const bool doubtful = std::ranges::any_of(results, [](const SampleResult& result) {
        return result.remarks.contains(RemarkKind::overlap);
    });
    return code == ExitCode::done && doubtful ? ExitCode::someFailed : code;
}

/// Adds the samples, and the options for finding and reading them.
void addSources(CLI::App& command, SampleSources& sources) {
    addValue(command, "samples", sources.given, "SAMPLE...",
             "Samples to reconstruct; - reads a list from standard input")
        ->required();
    addSetting(command, setting::views, sources.views);
    command.add_flag("--board", sources.findCamerasByBoard,
                     "Before reconstructing, find the cameras of photographs on the printed board, "
                     "as `threefold board` does");
    command.add_flag(
        "--cutout", sources.cutOutPhotographs,
        "Before reconstructing, cut out photographs without a mask, as `threefold cutout` does");
    addListRoots(command, sources.imageRoot, sources.truthRoot);
    addTruthSpace(command, sources.truthSpace);
    addVector(command, "--object-centre", sources.object.centre,
              "The object's centre, in the world of your own cameras");
    addValue(command, "--object-size", sources.object.size, "D",
             "Diagonal of the object's bounding box, in the units of your own cameras")
        ->check(numberValidator(NumberRange::positive()));
    addVector(command, "--object-up", sources.object.up,
              "Up direction of the object, in the world of your own cameras");
}

/// Adds the options for the files to write for each sample.
void addWrittenFiles(CLI::App& command, WrittenFiles& written) {
    addSetting(command, setting::formats, written.formats);
    addSetting(command, setting::writtenStage, written.stage);
    command.add_flag("--hull", written.hull,
                     "Also write the visual hull of all photographs ({sample}_hull): without the "
                     "network, of any genus, as accurate as masks and cameras");
    addTexture(command, written.texture);
    command
        .add_flag("--texture-as-taken", written.keepExposure,
                  "Do not even out exposure and white balance of the photographs")
        ->needs("--texture");
    command
        .add_flag("--texture-seen", written.writeVisibility,
                  "Also write {mesh}_seen.png: the texture, transparent on surface that no "
                  "photograph shows")
        ->needs("--texture");
    addSettingWord(command, setting::frame, [&written](const std::string& word) {
        written.space = word == "world" ? MeshSpace::world : MeshSpace::camera;
    });
}

}  // namespace

void addReconstruct(CLI::App& program, CommandLine& line) {
    auto request = std::make_shared<ReconstructRequest>();
    CLI::App& command = addCommand(program, "reconstruct", "Reconstruct samples without a window",
                                   kReconstructExamples);
    addValue(command, "-o,--output", request->output, "DIR",
             "Folder for the meshes, created if missing")
        ->required();
    addSources(command, request->sources);
    addFitWithVertices(command, request->fit, request->vertices,
                       "Vertices of the hull and of the fitted mesh");
    addWrittenFiles(command, request->written);
    addSetting(command, setting::trace, request->trace);
    command.add_flag("--json", request->json, "One JSON document on standard output");
    addModelOptions(command, line.model);
    setAction(command, line, [&line, request] {
        request->model = line.model;
        request->model.quantisationImageRoot = request->sources.imageRoot;
        return reconstruct(*request);
    });
}

}  // namespace threefold
