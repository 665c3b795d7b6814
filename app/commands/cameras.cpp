#include <filesystem>
#include <memory>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include "app/commands/commands.h"
#include "app/configuration/number_range.h"
#include "app/console/interrupt.h"
#include "app/console/output.h"
#include "app/options/add_option.h"
#include "app/options/photo_reports.h"
#include "app/options/sample_arguments.h"
#include "engine/formats/files/temporary_folder.h"
#include "engine/json_text.h"
#include "engine/photo_cameras/markerless_cameras.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kCamerasExamples =
    R"(Finds the camera of each photograph from the photographs alone, without a board, where COLMAP is
installed (Debian: apt install colmap). The object must stand still, and it or the ground below it
must have texture; take 20 photographs or more from all around, 10° to 20° apart.
Cuts the object out where there is no mask yet, and writes cameras.json beside the photographs:
every other command and the window read it. Takes minutes, on the processor. Where COLMAP lacks
photographs or contradicts the outlines, cameras of equal turns (as 'threefold turntable' finds
them), then COLMAP inside of the masks are tried too; the cameras that explain most of the outlines
are kept.

Examples:
  threefold cameras figure
  threefold cameras figure --camera-distance 450
  threefold reconstruct figure --frame world --texture --format glb -o out)";

struct CamerasRequest {
    std::vector<fs::path> photographs;
    ColmapCamerasOptions options;
    bool json = false;
};

std::string objectText(const CameraSearchResult& result, double distance) {
    if (!result.objectBox) return {};
    return fmt::format("the object: {}, at a mean distance of {:.4g} from the cameras\n",
                       sizeText(*result.objectBox), distance);
}

std::string textOf(const ColmapCamerasResult& result, double distance) {
    std::string text = fmt::format(
        "{}: {} of {} photographs registered, {} points, mean reprojection error {:.2f} pixels\n",
        result.cameraFile.string(), result.registeredCount, result.photos.size(), result.pointCount,
        result.reprojectionError);
    text += objectText(result, distance);
    text += result.supportPointCount > 0
                ? fmt::format("up direction: from the table's plane ({} points)\n",
                              result.supportPointCount)
                : "up direction: from the assumption that the cameras were held level\n";
    return text;
}

std::string textOf(const TurntableCamerasResult& result, double distance) {
    return turntableText(result) + objectText(result, distance);
}

std::string camerasText(const MarkerlessCamerasResult& result, double distance) {
    std::string text =
        std::visit([&](const auto& kept) { return textOf(kept, distance); }, result.kept);
    if (!result.choice.empty()) text += result.choice + '\n';
    return text;
}

Json jsonOf(const ColmapCamerasResult& result) {
    const auto photoJson = [](const ColmapPhoto& photo) {
        Json json = {{"photograph", photo.file.string()},
                     {"registered", photo.problem.empty()},
                     {"features", photo.featureCount},
                     {"points", photo.pointCount}};
        if (!photo.problem.empty()) json["problem"] = photo.problem;
        addMaskRemarks(json, photo);
        return json;
    };
    Json json = {{"cameras", result.cameraFile.string()},
                 {"registered", result.registeredCount},
                 {"points", result.pointCount},
                 {"reprojectionErrorPx", result.reprojectionError}};
    if (result.objectBox) json["object"] = boxJson(*result.objectBox);
    json["upFrom"] = result.upSource();
    if (result.supportPointCount > 0) json["tablePoints"] = result.supportPointCount;
    if (!result.warning.empty()) json["doubt"] = result.warning;
    json["photographs"] = jsonArray(result.photos, photoJson);
    json["ms"] = result.milliseconds;
    return json;
}

Json jsonOf(const TurntableCamerasResult& result) {
    Json json = turntableJson(result);
    if (result.objectBox) json["object"] = boxJson(*result.objectBox);
    return json;
}

Json camerasJson(const MarkerlessCamerasResult& result) {
    const auto candidateJson = [](const CameraCandidate& candidate) {
        return Json{{"method", nameOf(candidate.method)},
                    {"cameras", candidate.score.cameraCount},
                    {"hull_overlap", candidate.score.overlap},
                    {"explained", candidate.score.explained}};
    };
    Json json = std::visit([](const auto& kept) { return jsonOf(kept); }, result.kept);
    json["method"] = nameOf(result.method);
    json["candidates"] = jsonArray(result.candidates, candidateJson);
    if (!result.choice.empty()) json["choice"] = result.choice;
    return json;
}

/// Logs the remarks about the cameras and their photographs. Returns the exit code.
template <class Result>
ExitCode logResult(const Result& result) {
    for (const CameraPhoto& photo : result.photos) logRemarks(photo);
    if constexpr (std::is_same_v<Result, ColmapCamerasResult>)
        if (!result.warning.empty()) spdlog::warn("{}", result.warning);
    if (!result.objectBox)
        spdlog::warn(
            "{}: the object's position was not found: too few of its points are known, and there "
            "are no masks",
            result.cameraFile.string());
    return exitCodeOfPhotographs(result.photos);
}

ExitCode findCameras(const CamerasRequest& request) {
    Interrupt interrupt;
    const TemporaryFolder folder("colmap");
    const Interrupt::ImmediateExit immediateExit(interrupt, [&] { folder.remove(); });
    const MarkerlessCamerasResult result = [&] {
        ProgressLine line;
        ColmapCamerasOptions options = request.options;
        options.scratchFolder = folder.path();
        options.callbacks = reportsOn(line);
        return findMarkerlessCameras(photographsIn(request.photographs), options,
                                     interrupt.token());
    }();
    const ExitCode code = std::visit([](const auto& kept) { return logResult(kept); }, result.kept);
    if (request.json)
        printJson(camerasJson(result));
    else
        printText(camerasText(result, request.options.meanCameraDistance));
    return code;
}

}  // namespace

void addCameras(CLI::App& program, CommandLine& line) {
    auto request = std::make_shared<CamerasRequest>();
    CLI::App& command = addCommand(program, "cameras", "Find the cameras of photographs by COLMAP",
                                   kCamerasExamples);
    addValue(command, "photographs", request->photographs, "PHOTO...",
             "Photographs of one object from all around, or their folder")
        ->required();
    addValue(command, "--camera-distance", request->options.meanCameraDistance, "LENGTH",
             fmt::format("Mean distance of the cameras from the object, in the unit that meshes "
                         "are to have; {:g} if not given",
                         request->options.meanCameraDistance))
        ->check(numberValidator({.min = 0, .max = 1e6, .exclusiveMin = true}));
    command.add_flag("--overwrite", request->options.overwrite,
                     "Also replace a cameras.json that another program wrote");
    command.add_flag("--json", request->json, "A JSON document on standard output");
    setAction(command, line, [request] { return findCameras(*request); });
}

}  // namespace threefold
