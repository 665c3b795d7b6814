#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include "app/commands/commands.h"
#include "app/configuration/number_range.h"
#include "app/console/interrupt.h"
#include "app/console/output.h"
#include "app/options/add_option.h"
#include "app/options/sample_arguments.h"
#include "engine/cutout/cutout_files.h"
#include "engine/error.h"
#include "engine/json_text.h"
#include "engine/masks/mask_files.h"
#include "engine/masks/propagate_object.h"
#include "engine/text.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCutoutExamples =
    R"(Finds the object in each photograph and writes its mask beside it, IMG_1.jpg's to
masks/IMG_1.png, which every other command and the window then read; the photograph itself is never
written to. Photographs that have a mask (also nerfstudio's or COLMAP's), transparent pixels or a
white background stay as they are. The object should be in the middle, whole, and differ in colour
from the picture's border. Look at the masks: a line names those that may be wrong, and with cameras
beside the photographs those that contradict the others. --repair cuts the contradicting ones out
again with the help of the other masks; a mask that it replaces is kept in masks/replaced. --box and
--point mark the object in one photograph; with cameras it is then found in all others.

Examples:
  threefold cutout mug
  threefold cutout mug/IMG_1.jpg mug/IMG_2.jpg --overwrite
  threefold cutout mug --repair
  threefold cutout mug/IMG_1.jpg --box 820,410,1500,1900)";

struct CutoutRequest {
    std::vector<fs::path> photographs;
    bool overwrite = false;
    bool repair = false;
    std::vector<double> box;    ///< left, top, width, height in pixels; empty: none
    std::vector<double> point;  ///< x, y in pixels; empty: none
    bool json = false;
};

std::string maskLine(const CutoutFile& file) {
    if (file.wasCutOutBefore)
        return fmt::format("{} is cut out already{}\n", escapeControls(file.photograph.string()),
                           file.mask.empty() ? "" : ", by " + escapeControls(file.mask.string()));
    return fmt::format("{}  {:.1f} % of the picture  {:.0f} ms  {}\n",
                       escapeControls(file.photograph.string()), 100 * file.fraction,
                       file.milliseconds, escapeControls(file.mask.string()));
}

nlohmann::ordered_json fileJson(const MaskFile& file) {
    const CutoutFile& cutout = file.cutout;
    nlohmann::ordered_json json = {{"photograph", cutout.photograph.string()}};
    if (!cutout.mask.empty()) json["mask"] = cutout.mask.string();
    json["wasCutOut"] = cutout.wasCutOutBefore;
    if (!cutout.error.empty()) json["error"] = cutout.error;
    if (cutout.fraction > 0) {
        json["fraction"] = cutout.fraction;
        json["ms"] = cutout.milliseconds;
    }
    if (!cutout.warning.empty()) json["doubt"] = cutout.warning;
    if (file.isRepaired) json["repaired"] = true;
    if (!file.keptCopy.empty()) json["replaced"] = file.keptCopy.string();
    return json;
}

/// The hint that --box or --point gives. Throws UsageError.
ObjectHint hintOf(const CutoutRequest& request, const std::vector<fs::path>& photographs) {
    const auto refuse = [](std::string option, std::string problem, std::string remedy) {
        throw UsageError({std::move(option), "", std::move(problem), std::move(remedy)});
    };
    const std::string option = request.box.empty() ? "--point" : "--box";
    if (photographs.size() != 1)
        refuse(option,
               fmt::format("marks the object in one photograph, but {} photographs are given",
                           photographs.size()),
               "Name one; the others are found by their cameras.");
    if (request.box.empty()) return {photographs.front(), {request.point[0], request.point[1]}, {}};
    if (request.box[2] < 1 || request.box[3] < 1)
        refuse(option, "is less than a pixel wide or high",
               "Give LEFT,TOP,WIDTH,HEIGHT in pixels.");
    const glm::dvec2 extent(request.box[2], request.box[3]);
    return {photographs.front(), glm::dvec2(request.box[0], request.box[1]) + extent / 2.0, extent};
}

/// Error for `option` where the photographs have no cameras.
UsageError missingCameras(std::string option) {
    return UsageError({std::move(option), "", "needs the cameras of the photographs",
                       "Find them by `board`, `turntable` or `cameras` first."});
}

/// Names the masks that contradict the other photographs' masks. With --repair, replaces each of
/// these masks for which a better mask is found.
void checkContradictions(const CutoutRequest& request, const std::vector<fs::path>& photographs,
                         std::vector<MaskFile>& files, const std::stop_token& cancel) {
    const std::set<fs::path> folders = cameraFoldersOf(photographs);
    if (request.repair && folders.empty()) throw missingCameras("--repair");
    for (const fs::path& folder : folders) {
        const MaskCheck check = checkMasks(folder, request.repair, cancel);
        if (!check.problem.empty()) spdlog::warn("{}", check.problem);
        for (const ContradictingMask& contradicting : check.contradictions)
            for (const std::string& sentence : applyContradiction(files, contradicting))
                spdlog::warn("{}", sentence);
    }
}

ExitCode exitCodeOfMasks(const std::vector<MaskFile>& files) {
    return exitCodeOf(files, [](const MaskFile& file) { return file.cutout.error.empty(); });
}

/// Cuts out the object of --box or --point in all photographs that have cameras.
ExitCode cutOutEverywhere(const CutoutRequest& request, const std::stop_token& cancel) {
    const ObjectHint hint = hintOf(request, photographsIn(request.photographs));
    const fs::path folder = cameraFolderOf(hint.photograph);
    if (folder.empty()) throw missingCameras(request.box.empty() ? "--point" : "--box");
    const auto print = [&](const MaskFile& file) {
        const CutoutFile& cutout = file.cutout;
        if (!cutout.error.empty())
            spdlog::error("{}", cutout.error);
        else if (!request.json)
            printText(fmt::format(
                "{}  {:.1f} % of the picture  {}{}\n", escapeControls(cutout.photograph.string()),
                100 * cutout.fraction, escapeControls(cutout.mask.string()),
                file.keptCopy.empty() ? "" : ", was " + escapeControls(file.keptCopy.string())));
    };
    const std::vector<MaskFile> files = writePropagatedMasks(folder, hint, print, cancel);
    if (request.json) printJson(jsonArray(files, fileJson));
    return exitCodeOfMasks(files);
}

ExitCode cutout(const CutoutRequest& request) {
    Interrupt interrupt;
    const Interrupt::ImmediateExit immediateExit(interrupt);
    if (!request.box.empty() || !request.point.empty())
        return cutOutEverywhere(request, interrupt.token());
    const std::vector<fs::path> photographs = photographsIn(request.photographs);
    const MaskFilesByPhoto cameraFileMasks =
        request.overwrite ? MaskFilesByPhoto{}
                          : masksNamedByCameras(photographs, interrupt.token());
    const auto print = [&](const CutoutFile& file) {
        if (!file.error.empty()) spdlog::error("{}", file.error);
        if (!file.warning.empty()) spdlog::warn("{}", file.warning);
        if (file.error.empty() && !request.json) printText(maskLine(file));
    };
    std::vector<MaskFile> files;
    const CutoutFilesOptions options{
        .overwrite = request.overwrite, .cameraFileMasks = cameraFileMasks, .onDone = print};
    for (CutoutFile& file : cutOutFiles(photographs, options, interrupt.token()))
        files.push_back({std::move(file), {}, false});
    checkContradictions(request, photographs, files, interrupt.token());
    if (request.json) printJson(jsonArray(files, fileJson));
    return exitCodeOfMasks(files);
}

}  // namespace

void addCutout(CLI::App& program, CommandLine& line) {
    auto request = std::make_shared<CutoutRequest>();
    CLI::App& command = addCommand(
        program, "cutout", "Cut objects out of photographs: a mask for each", kCutoutExamples);
    addValue(command, "photographs", request->photographs, "PHOTO...",
             "Photographs, or folders of them")
        ->required();
    command.add_flag("--overwrite", request->overwrite,
                     "Cut out again photographs that are cut out already");
    command.add_flag("--repair", request->repair,
                     "Cut out again photographs whose masks contradict the others; needs cameras");
    constexpr double kMaxPlace = 100'000;
    const CLI::Validator inPicture = numberValidator(NumberRange::picturePosition(kMaxPlace));
    CLI::Option* box =
        addList(command, "--box", request->box, "LEFT,TOP,WIDTH,HEIGHT",
                "A box around the object in the one photograph given, in pixels: cuts it out of "
                "all photographs whose cameras are known")
            ->expected(4)
            ->check(inPicture);
    CLI::Option* point = addList(command, "--point", request->point, "X,Y",
                                 "A point on the object in place of a box")
                             ->expected(2)
                             ->check(inPicture);
    box->excludes(point);
    command.add_flag("--json", request->json,
                     "A JSON array on standard output, an entry a photograph");
    setAction(command, line, [request] { return cutout(*request); });
}

}  // namespace threefold
