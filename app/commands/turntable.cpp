#include <algorithm>
#include <filesystem>
#include <memory>
#include <numeric>
#include <string>
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
#include "engine/photo_cameras/turntable_photos.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kTurntableExamples =
    R"(Put the object on a turntable before a camera that stands still, a little above it, and turn it by
equal steps, once around; or walk around it by equal steps, at the same height and distance. Each
photograph must show the whole object. 'threefold turntable FOLDER' cuts it out where there is no
mask yet, finds the cameras by the outlines alone and says whether they are sure.

Examples:
  threefold turntable vase
  threefold turntable vase --turn-by clockwise
  threefold reconstruct vase --frame world -o out)";

struct TurntableRequest {
    std::vector<fs::path> photographs;
    std::string turnBy;
    TurntableCamerasOptions options;
    bool json = false;
};

double meanValue(const std::vector<double>& values) {
    return std::reduce(values.begin(), values.end()) / static_cast<double>(values.size());
}

std::string turntableText(const TurntableCamerasResult& result) {
    const turntable::TurntableSolution& found = result.solution;
    const auto worst =
        std::ranges::max_element(found.outlineResiduals) - found.outlineResiduals.begin();
    return fmt::format(
        "{}: {} photographs, {}: the object turned {} by {:.4g}°, {:.1f}° from above; epipolar "
        "tangents differ by {:.2f} pixels of 640, by {:.2f} at the worst ({}); {:.1f} % of the "
        "masks not covered by their hull\n",
        result.file.string(), result.photos.size(), found.warnings.empty() ? "sure" : "not sure",
        found.objectTurnsClockwise ? "clockwise" : "anticlockwise", result.stepDegrees,
        found.elevation, meanValue(found.outlineResiduals),
        found.outlineResiduals[static_cast<std::size_t>(worst)],
        result.photos[static_cast<std::size_t>(worst)].file.filename().string(),
        100 * meanValue(found.uncoveredFractions));
}

Json turntableJson(const TurntableCamerasResult& result) {
    const turntable::TurntableSolution& found = result.solution;
    Json json = {{"cameras", result.file.string()},
                 {"sure", found.warnings.empty()},
                 {"doubts", found.warnings},
                 {"uncovered", meanValue(found.uncoveredFractions)},
                 {"residualPx", meanValue(found.outlineResiduals)},
                 {"turnsBy", found.objectTurnsClockwise ? "clockwise" : "anticlockwise"},
                 {"stepDegrees", result.stepDegrees},
                 {"elevationDegrees", found.elevation}};
    for (std::size_t i = 0; i < result.photos.size(); ++i)
        json["photographs"].push_back({{"photograph", result.photos[i].file.string()},
                                       {"azimuthDegrees", found.azimuths[i]},
                                       {"residualPx", found.outlineResiduals[i]},
                                       {"uncovered", found.uncoveredFractions[i]},
                                       {"doubt", result.photos[i].maskWarning},
                                       {"maskError", result.photos[i].maskError}});
    json["ms"] = result.milliseconds;
    return json;
}

ExitCode runTurntable(const TurntableRequest& request) {
    Interrupt interrupt;
    const Interrupt::ImmediateExit immediateExit(interrupt);
    TurntableCamerasOptions options = request.options;
    if (!request.turnBy.empty()) options.objectTurnsClockwise = request.turnBy == "clockwise";
    const TurntableCamerasResult result = [&] {
        ProgressLine line;
        options.callbacks = reportsOn(line);
        return findTurntableCameras(photographsIn(request.photographs), options, interrupt.token());
    }();
    for (const CameraPhoto& photo : result.photos) logRemarks(photo);
    for (const std::string& warning : result.solution.warnings)
        spdlog::warn("{}: not sure: {}", result.file.string(), warning);
    if (request.json)
        printJson(turntableJson(result));
    else
        printText(turntableText(result));
    return exitCodeOfPhotographs(result.photos);
}

}  // namespace

void addTurntable(CLI::App& program, CommandLine& line) {
    auto request = std::make_shared<TurntableRequest>();
    CLI::App& command =
        addCommand(program, "turntable", "Cameras of photographs of an object that turns by steps",
                   kTurntableExamples);
    addValue(command, "photographs", request->photographs, "PHOTO...",
             "Photographs of one object, in the order of their numbers, or their folder")
        ->required();
    addValue(command, "--turn-by", request->turnBy, "SENSE",
             "How the object turns, seen from above: clockwise or anticlockwise; found from the "
             "outlines if not given")
        ->check(CLI::IsMember({"clockwise", "anticlockwise"}));
    addValue(command, "--step", request->options.stepDegrees, "DEGREES",
             "Angle from each photograph to the next; needed unless the photographs go once around")
        ->check(numberValidator(NumberRange::degrees(0.1, 180)));
    addValue(command, "--focal-mm35", request->options.focalLength35mm, "MM",
             "35 mm equivalent focal length, if Exif has none or a wrong one")
        ->check(numberValidator(NumberRange::millimetres(5, 1000)));
    command.add_flag("--overwrite", request->options.overwrite,
                     "Also replace a cameras.json that another program wrote");
    command.add_flag("--json", request->json, "A JSON document on standard output");
    setAction(command, line, [request] { return runTurntable(*request); });
}

}  // namespace threefold
