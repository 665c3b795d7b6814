#include <algorithm>
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
#include "engine/board/board_file.h"
#include "engine/json_text.h"
#include "engine/photo_cameras/board_photos.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kBoardExamples =
    R"(Print the board at 100 %, lay it flat, put the object into its empty middle, and take three
to forty photographs from all sides, most of the board in each. 'threefold board FOLDER' then finds
the camera of each photograph, cuts the object out where there is no mask yet, and writes
cameras.json, in millimetres, beside the photographs: every other command and the window read it.

Examples:
  threefold board -o board.pdf
  threefold board mug
  threefold reconstruct mug --frame world -o out)";

struct BoardRequest {
    std::vector<fs::path> photographs;
    fs::path sheet;
    std::string paper = "a4";
    std::string family;
    BoardCamerasOptions options;
    bool json = false;
};

std::string photographText(const BoardPhoto& photo) {
    return fmt::format("{}  {} markers  {:.2f} pixels\n", photo.file.string(), photo.markerCount,
                       photo.reprojectionError);
}

std::string resultText(const BoardCamerasResult& result) {
    const auto& cameras = result.calibration.cameras;
    const board::CalibratedCamera& worst =
        *std::ranges::max_element(cameras, {}, &board::CalibratedCamera::reprojectionError);
    std::string text = fmt::format(
        "{}: {} of {} photographs, reprojection error {:.2f} pixels (RMS), {:.2f} in the worst "
        "photograph ({})\n",
        result.cameraFile.string(), cameras.size(), result.photos.size(),
        result.calibration.reprojectionError, worst.reprojectionError,
        result.photos[worst.photoIndex].file.filename().string());
    if (!result.calibration.hasPrintedBoard)
        text += fmt::format(
            "the sheet is not Threefold's board: it has {}\n",
            result.calibration.sheet
                ? fmt::format("{} {} markers in one plane",
                              result.calibration.sheet->markers.size(), result.family->name)
                : fmt::format(
                      "{} markers that are not in one plane, so the up direction is unknown",
                      result.family->name));
    if (result.objectBox) {
        const glm::dvec3 centre = result.objectBox->centre();
        text += fmt::format("the object: {} {}, its centre at ({:.4g}, {:.4g}, {:.4g})\n",
                            sizeText(*result.objectBox), result.unit, centre.x, centre.y, centre.z);
    }
    if (result.calibration.hasPrintedBoard || result.calibration.sheet)
        text += "the up direction is perpendicular to the sheet\n";
    return text;
}

Json boardJson(const BoardCamerasResult& result) {
    const auto photoJson = [](const BoardPhoto& photo) {
        Json json = {{"photograph", photo.file.string()}, {"markers", photo.markerCount}};
        if (photo.problem.empty())
            json["reprojectionErrorPx"] = photo.reprojectionError;
        else
            json["problem"] = photo.problem;
        addMaskRemarks(json, photo);
        return json;
    };
    Json json = {{"cameras", result.cameraFile.string()},
                 {"reprojectionErrorPx", result.calibration.reprojectionError},
                 {"printedBoard", result.calibration.hasPrintedBoard},
                 {"family", result.family->name},
                 {"unit", result.unit}};
    if (result.objectBox) json["object"] = boxJson(*result.objectBox);
    json["photographs"] = jsonArray(result.photos, photoJson);
    json["ms"] = result.milliseconds;
    return json;
}

ExitCode calibratePhotographs(const BoardRequest& request) {
    Interrupt interrupt;
    const Interrupt::ImmediateExit immediateExit(interrupt);
    const BoardCamerasResult result = [&] {
        ProgressLine line;
        BoardCamerasOptions options = request.options;
        if (!request.family.empty()) options.family = &board::markerFamilyFromName(request.family);
        options.callbacks = reportsOn(line);
        return findBoardCameras(photographsIn(request.photographs), options, interrupt.token());
    }();
    for (const BoardPhoto& photo : result.photos) {
        logRemarks(photo);
        if (photo.problem.empty() && !request.json) printText(photographText(photo));
    }
    if (!result.objectBox)
        spdlog::warn("{}: the object was not found: no two of its silhouettes intersect",
                     result.cameraFile.string());
    if (request.json)
        printJson(boardJson(result));
    else
        printText(resultText(result));
    return exitCodeOfPhotographs(result.photos);
}

ExitCode runBoard(const BoardRequest& request) {
    if (request.sheet.empty() && request.photographs.empty())
        throw UsageError(
            {"board", "", "neither -o nor photographs are given",
             "threefold board -o board.pdf prints, threefold board FOLDER calibrates."});
    if (!request.sheet.empty()) {
        Interrupt interrupt;  // Ctrl-C ends the process only after the file is complete
        const Interrupt::ImmediateExit immediateExit(interrupt);
        board::writeBoard(request.sheet,
                          request.paper == "a4" ? board::Paper::a4 : board::Paper::letter);
    }
    return request.photographs.empty() ? ExitCode::done : calibratePhotographs(request);
}

}  // namespace

void addBoard(CLI::App& program, CommandLine& line) {
    auto request = std::make_shared<BoardRequest>();
    CLI::App& command = addCommand(
        program, "board", "Print a board; cameras of photographs taken on it", kBoardExamples);
    addValue(command, "photographs", request->photographs, "PHOTO...",
             "Photographs of one object on the board, or their folder");
    addValue(command, "-o,--output", request->sheet, "FILE",
             "Write the board itself: .pdf or .svg");
    addValue(command, "--paper", request->paper, "NAME", "a4 or letter")
        ->check(CLI::IsMember({"a4", "letter"}));
    addValue(command, "--bar", request->options.measuredBarMm, "MM",
             "Measured length of the printed bar of 100 mm, in millimetres")
        ->check(numberValidator(NumberRange::millimetres(10, 1000)));
    addValue(command, "--marker-side", request->options.unknownSheetMarkerSideMm, "MM",
             "Side of the black squares of another program's marker sheet; Threefold measures its "
             "layout")
        ->check(numberValidator(NumberRange::millimetres(0.1, 10'000)));
    addValue(command, "--family", request->family, "NAME",
             "Marker family of that sheet; detected if not given: " + board::markerFamilyNames());
    command.add_flag("--metres", request->options.inMetres,
                     "Write cameras in metres instead of millimetres; meshes of reconstruct "
                     "--frame world are then "
                     "in metres too");
    command.add_flag("--overwrite", request->options.overwrite,
                     "Also replace a cameras.json that another program wrote");
    command.add_flag("--json", request->json, "A JSON document on standard output");
    setAction(command, line, [request] { return runBoard(*request); });
}

}  // namespace threefold
