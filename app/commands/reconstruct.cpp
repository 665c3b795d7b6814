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
#include "app/console/process.h"
#include "app/options/add_option.h"
#include "app/options/fit_options.h"
#include "app/options/sample_arguments.h"
#include "app/options/model_options.h"
#include "app/options/open_network.h"
#include "app/options/output_folder.h"
#include "app/options/sample_options.h"
#include "app/reconstruct/request.h"
#include "app/reconstruct/run_samples.h"
#include "engine/cutout/cutout.h"
#include "engine/evaluation/output_texts.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/bytes/write_file.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/network/precision.h"
#include "engine/photo_cameras/board_photos.h"
#include "engine/profile/span.h"
#include "engine/sample/data_set.h"
#include "engine/sample/sample.h"

namespace threefold {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kReconstructExamples =
    R"(A SAMPLE is an object's folder, its rendering folder, one of its images, a name such as
02691156_p0001_00.dat together with --images, or a list of such names in a .txt file. Photographs of
your own: a folder with a transforms.json (NeRF, instant-ngp, nerfstudio), a cameras.json (4×4
matrices and intrinsics) or COLMAP's cameras.txt and images.txt, or such a file itself. Where the
object is in them follows from their white or transparent background, or is said by --object-centre
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

std::string measuresText(const Measures& measures) {
    return fmt::format("CD {:.6f}  F(τ) {:.2f} %  F(2τ) {:.2f} %", measures.chamfer,
                       measures.atTau().f, measures.atTwoTau().f);
}

Json measuresJson(const Measures& measures) {
    const auto scoreJson = [](const FScore& score) -> Json {
        return {{"threshold", score.threshold},
                {"precisionPercent", score.precision},
                {"recallPercent", score.recall},
                {"fPercent", score.f}};
    };
    Json json = {{"chamfer", measures.chamfer}, {"scores", jsonList(measures.scores, scoreJson)}};
    for (const auto& [key, value] : measures.further) json[key] = value;
    return json;
}

Json depthJson(const DepthSurface& depth, const SampleSurface& surface) {
    Json steps = Json::object();
    for (const DepthStepTime& each : depth.times) steps[std::string(each.step)] = each.milliseconds;
    Json json = {{"taken", surface.from == FitSurface::depth},
                 {"sure", depth.sure},
                 {"strong", depth.strong},
                 {"ms", depth.milliseconds},
                 {"stepsMs", std::move(steps)}};
    if (!surface.depthProblem.empty()) json["problem"] = surface.depthProblem;
    return json;
}

Json fitJson(const FitResult& fit, const SampleSurface& surface) {
    const auto viewJson = [](const FitAgreement& each) -> Json {
        return {{"view", each.view},
                {"overlapBefore", each.before.overlap},
                {"overlapAfter", each.after.overlap}};
    };
    Json json = {{"ms", fit.milliseconds},
                 {"surface", surfaceName(surface.from)},
                 {"steps", fit.steps.size()},
                 {"views", jsonList(fit.agreement, viewJson)},
                 {"leftOut", fit.leftOut},
                 {"notes", fit.notes},
                 {"choice", surface.choice},
                 {"creaseBefore", fit.defectsBefore.crease},
                 {"creaseAfter", fit.defectsAfter.crease},
                 {"foldedFacesBefore", fit.defectsBefore.foldedFaces},
                 {"foldedFacesAfter", fit.defectsAfter.foldedFaces},
                 {"intersectingFacesBefore", fit.defectsBefore.intersectingFaces},
                 {"intersectingFacesAfter", fit.defectsAfter.intersectingFaces}};
    if (surface.depth) json["depth"] = depthJson(*surface.depth, surface);
    return json;
}

Json hullJson(const SampleHull& hull) {
    Json json = {{"ms", hull.milliseconds}, {"vertices", hull.mesh.vertices.size()},
                 {"views", hull.views},     {"overlap", hull.overlap},
                 {"leftOut", hull.leftOut}, {"notes", hull.notes}};
    if (hull.measures) json["measures"] = measuresJson(*hull.measures);
    return json;
}

Json exposuresJson(const TextureExposures& texture) {
    const auto listed = [](glm::vec3 value) { return Json{value.x, value.y, value.z}; };
    return {{"mesh", texture.mesh},
            {"photographs", jsonList(texture.exposures, [&](const Exposure& each) -> Json {
                 return {{"gain", listed(each.gain)}, {"offset", listed(each.offset)}};
             })}};
}

Json resultJson(const SampleResult& result) {
    Json json = {{"sample", result.name}, {"given", result.given}, {"ok", result.succeeded()}};
    if (!result.succeeded()) {
        json["error"] = result.error;
        return json;
    }
    json["source"] = result.source.string();
    json["views"] = result.views;
    if (!result.notes.empty()) json["notes"] = result.notes;
    Json timings = Json::object();
    for (const StepTiming& timing : result.timings)
        timings[std::string(runStepName(timing.step))] = timing.milliseconds;
    json["timingsMs"] = std::move(timings);
    json["networkMs"] = result.networkMilliseconds;
    json["files"] = jsonList(result.files, [](const auto& file) { return file.string(); });
    if (result.measures) {
        json["measures"] = {
            {"truth", result.measures->truth.string()},
            {"truthSpace", result.measures->truthSpace == MeshSpace::world ? "world" : "view"}};
        for (const auto& [mesh, measures] : result.measures->meshes.entries())
            json["measures"][mesh] = measuresJson(measures);
    }
    if (result.fit) json["fit"] = fitJson(*result.fit, result.surface);
    json["silhouettes"] = silhouettesJson(result.silhouettes);
    if (result.hull) json["hull"] = hullJson(*result.hull);
    if (!result.exposures.empty()) json["exposures"] = jsonList(result.exposures, exposuresJson);
    for (const auto& [kind, text] : result.remarks) json[std::string(remarkKey(kind))] = text;
    return json;
}

/// Views shared by all samples; null if they differ.
Json usedViews(const ReconstructRequest& request, const std::vector<SampleResult>& results) {
    if (!request.views.empty()) return request.views;
    const std::vector<int>* views = nullptr;
    for (const SampleResult& result : results) {
        if (result.views.empty()) continue;
        if (views != nullptr && *views != result.views) return nullptr;
        views = &result.views;
    }
    return views != nullptr ? Json(*views) : Json(nullptr);
}

/// " from depth, sure on 62 % of the surface, in 3456 ms"; empty for the network's mesh.
std::string surfaceText(const SampleSurface& surface) {
    if (surface.from == FitSurface::network) return {};
    std::string text = fmt::format(" from {}", surfaceName(surface.from));
    if (const auto& depth = surface.depth)
        text += fmt::format("{}, sure on {:.0f} % of the surface, in {:.0f} ms",
                            surface.depthProblem.empty() ? "" : "; depth not used",
                            100 * depth->sure, depth->milliseconds);
    return text;
}

/// Milliseconds of each step of depth from photographs.
std::string depthStepsText(const DepthSurface& depth) {
    std::string text = "depth:";
    for (const DepthStepTime& each : depth.times)
        text += fmt::format("{} {} {:.0f} ms", &each == depth.times.data() ? "" : ",", each.step,
                            each.milliseconds);
    return text;
}

/// One line about a finished sample: name, time of the network, and measures where there are any.
std::string resultLine(const SampleResult& result) {
    constexpr double kBrief = 100;  // milliseconds; shorter times show hundredths
    std::string line = fmt::format("{}  {:.{}f} ms", result.name, result.networkMilliseconds,
                                   result.networkMilliseconds < kBrief ? 2 : 0);
    if (result.measures)
        for (const auto& [mesh, measures] : result.measures->meshes.entries())
            if (mesh != kFittedMesh) line += fmt::format("  {} {}", mesh, measuresText(measures));
    if (result.fit) {
        line += result.fit->agreement.empty()
                    ? "  not fitted"
                    : fmt::format("  fitted to {} views{}", result.fit->agreement.size(),
                                  surfaceText(result.surface));
        if (result.measures && result.measures->meshes.fitted() != nullptr)
            line += ' ' + measuresText(*result.measures->meshes.fitted());
    }
    if (const MeansByMesh means = meansOf(result.silhouettes); !means.empty())
        line +=
            fmt::format("  overlap {:.3f} → {:.3f}", means.first().overlap, means.result().overlap);
    if (result.fit && !result.fit->agreement.empty())
        line += fmt::format("  overlap of the fitted views {:.3f} → {:.3f}",
                            result.fit->meanOverlapBefore(), result.fit->meanOverlapAfter());
    if (result.hull) {
        line += fmt::format("  hull of {} views, {:.0f} ms", result.hull->views,
                            result.hull->milliseconds);
        if (result.hull->measures) line += ' ' + measuresText(*result.hull->measures);
        line += fmt::format("  overlap {:.3f}", result.hull->overlap);
    }
    return line + '\n';
}

/// Document of `reconstruct --json`; docs/COMMANDS.md describes its keys.
Json reconstructJson(const NetworkInfo& network, const ReconstructRequest& request,
                     const std::vector<SampleResult>& results, bool cancelled) {
    const auto done = std::count_if(results.begin(), results.end(),
                                    [](const SampleResult& result) { return result.succeeded(); });
    const Model& model = *network.model;
    return {{"threefold", THREEFOLD_VERSION},
            {"backend", network.description},
            {"precision", precisionName(network.precision)},
            {"model",
             {{"file", model.source.string()},
              {"sha256", model.hash},
              {"sampler", samplerName(model.sampler)}}},
            {"views", usedViews(request, results)},
            {"done", done},
            {"failed", results.size() - static_cast<std::size_t>(done)},
            {"cancelled", cancelled},
            {"samples", jsonList(results, resultJson)},
            {"peakMemoryMb", peakMemoryMegabytes()}};
}

void report(const SampleResult& result, bool json) {
    for (const std::string& note : result.notes) spdlog::info("{}: {}", result.name, note);
    if (result.surface.depth)
        spdlog::info("{}: {}", result.name, depthStepsText(*result.surface.depth));
    if (!result.surface.choice.empty()) spdlog::info("{}: {}", result.name, result.surface.choice);
    if (result.fit)
        for (const std::string& note : result.fit->notes) spdlog::warn("{}: {}", result.name, note);
    if (result.hull)
        for (const std::string& note : result.hull->notes)
            spdlog::warn("{}: hull: {}", result.name, note);
    for (const auto& [kind, text] : result.remarks)
        if (kind == RemarkKind::missingImages || kind == RemarkKind::defaultFit)
            spdlog::warn("{}: {}", result.name, text);
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
            images = sampleImages(sample.name, request.imageRoot);
        } catch (const Error&) {
            continue;
        }
        std::erase_if(images, [](const auto& image) { return image.empty(); });
        const Stopwatch time;
        const std::vector<CutoutFile> files =
            cutOutFiles(images, {.named = masksNamedByCameras(images, cancel)}, cancel);
        std::size_t written = 0;
        for (const CutoutFile& file : files) {
            if (!file.error.empty()) spdlog::warn("{}", file.error);
            if (!file.doubt.empty()) spdlog::warn("{}", file.doubt);
            written += file.fraction > 0 ? 1 : 0;
        }
        if (written > 0)
            spdlog::info("{}: {} of {} photographs cut out in {:.0f} ms, masks in {}", sample.name,
                         written, files.size(), time.milliseconds(),
                         ownMaskFile(images.front()).parent_path().string());
    }
}

/// Writes cameras for samples that are folders of photographs on the printed board; only folders
/// can be.
void calibrateSamples(const std::vector<SampleArgument>& samples, const std::stop_token& cancel) {
    for (const SampleArgument& sample : samples) {
        if (!isFolder(sample.name)) continue;
        const BoardCamerasResult result = findBoardCameras(photographsOf(sample.name), {}, cancel);
        for (const BoardPhotograph& photo : result.photos)
            for (const std::string& line : {photo.problem, photo.maskError, photo.doubt})
                if (!line.empty()) spdlog::warn("{}", line);
        spdlog::info("{}: {} cameras by the board, {:.2f} pixels", sample.name,
                     result.calibration.cameras.size(), result.calibration.reprojectionError);
    }
}

ExitCode reconstruct(const ReconstructRequest& request) {
    checkObject(request.object);
    const std::string textureNote = withoutTexture(request);
    const std::vector<SampleArgument> samples = expandSamples(request.samples);
    if (const std::string warning = viewCountWarning(request.views.size()); !warning.empty())
        spdlog::warn("{}", warning);
    if (!textureNote.empty()) spdlog::warn("{}", textureNote);
    Interrupt interrupt;
    OutputFolder folder(request.output);
    requireReplaceable("--trace", request.trace, kChromeTraceStart, "a trace");
    const OpenedNetwork opened = [&] {
        const Interrupt::ImmediateExit immediateExit(interrupt, [&] { folder.removeIfEmpty(); });
        if (request.findCamerasByBoard) calibrateSamples(samples, interrupt.token());
        if (request.cutOutPhotographs) cutOutSamples(request, samples, interrupt.token());
        return openNetwork(request.model);
    }();
    Spans spans;
    const auto results = runSamples(
        *opened.network, request, folder.path(), samples, interrupt.token(),
        [&](const SampleResult& result) { report(result, request.json); }, spans);
    if (!request.trace.empty()) writeFileWhole(request.trace, formatChromeTrace(spans));
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

}  // namespace

void addReconstruct(CLI::App& program, CommandLine& line) {
    auto request = std::make_shared<ReconstructRequest>();
    CLI::App& command = addCommand(program, "reconstruct", "Reconstruct samples without a window",
                                   kReconstructExamples);
    addValue(command, "samples", request->samples, "SAMPLE...",
             "What to reconstruct; - is a list on standard input")
        ->required();
    addValue(command, "-o,--output", request->output, "DIR",
             "Folder for the meshes, made if missing")
        ->required();
    addSetting(command, setting::views, request->views);
    addSetting(command, setting::formats, request->formats);
    addSetting(command, setting::writtenStage, request->stage);
    addFit(command, request->fit);
    command.add_flag("--board", request->findCamerasByBoard,
                     "Before reconstructing, find the cameras of photographs on the printed board, "
                     "as `threefold board` does");
    command.add_flag(
        "--cutout", request->cutOutPhotographs,
        "Before reconstructing, cut out photographs without a mask, as `threefold cutout` does");
    command.add_flag("--hull", request->hull,
                     "Also write the visual hull of all photographs ({sample}_hull): without the "
                     "network, of any genus, as accurate as masks and cameras");
    addFittedVertices(command, request->vertices, "Vertices of the hull and of the fitted mesh");
    addTexture(command, request->texture);
    command
        .add_flag("--texture-as-taken", request->keepExposure,
                  "Do not even out exposure and white balance of the photographs")
        ->needs("--texture");
    command
        .add_flag("--texture-seen", request->writeVisibility,
                  "Also write {mesh}_seen.png: the texture, transparent on surface that no "
                  "photograph shows")
        ->needs("--texture");
    addSettingWord(command, setting::frame, [request](const std::string& word) {
        request->frame = word == "world" ? MeshFrame::world : MeshFrame::camera;
    });
    addListRoots(command, request->imageRoot, request->truthRoot);
    addTruthSpace(command, request->truthSpace);
    addVector(command, "--object-centre", request->object.centre,
              "Where the object's centre is, in the world of your own cameras");
    addValue(command, "--object-size", request->object.size, "D",
             "Diagonal of the object's bounding box, in the units of your own cameras")
        ->check(numberValidator({0, NumberRange::coordinate().max, true, false, ""}));
    addVector(command, "--object-up", request->object.up,
              "Which way is up for the object, in the world of your own cameras");
    addSetting(command, setting::trace, request->trace);
    command.add_flag("--json", request->json, "One JSON document on standard output");
    addModelOptions(command, line.model);
    setAction(command, line, [&line, request] {
        request->model = line.model;
        request->model.calibrationImages = request->imageRoot;
        return reconstruct(*request);
    });
}

}  // namespace threefold
