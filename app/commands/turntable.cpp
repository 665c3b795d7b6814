#include <filesystem>
#include <memory>
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
        spdlog::warn("{}: not sure: {}", result.cameraFile.string(), warning);
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
