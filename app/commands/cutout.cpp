#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <system_error>
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
#include "engine/cutout/cutout.h"
#include "engine/error.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/bytes/folders.h"
#include "engine/formats/bytes/write_file.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/json_text.h"
#include "engine/masks/contradicting_masks.h"
#include "engine/masks/propagate_object.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/sample/view_files.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCutoutExamples =
    R"(Finds the object in each photograph and writes its mask beside it, IMG_1.jpg's to
masks/IMG_1.png, which every other command and the window then read; the photograph itself is never
written to. Photographs that have a mask (also nerfstudio's or COLMAP's), transparent pixels or a
white background stay as they are. The object should be in the middle, whole, and differ in colour
from what the picture's border shows. Look at the masks: a line says which may be wrong;
with cameras beside the photographs, also which contradict the others. --repair cuts these out
again by what the other masks show; a mask that it replaces is kept in masks/replaced. --box and
--point say where the object is in one photograph, and cameras carry it to all others.

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

/// A photograph's mask, and the older mask that --repair, --box or --point replaced.
struct MaskResult : CutoutFile {
    fs::path replaced;      ///< the kept copy of the replaced mask; empty: no mask was replaced
    bool repaired = false;  ///< by --repair
};

std::string maskLine(const CutoutFile& file) {
    if (file.hadMask)
        return fmt::format("{}  is cut out already{}\n", file.photograph.string(),
                           file.mask.empty() ? "" : ", by " + file.mask.string());
    return fmt::format("{}  {:.1f} % of the picture  {:.0f} ms  {}\n", file.photograph.string(),
                       100 * file.fraction, file.milliseconds, file.mask.string());
}

nlohmann::ordered_json fileJson(const MaskResult& file) {
    nlohmann::ordered_json json = {{"photograph", file.photograph.string()}};
    if (!file.mask.empty()) json["mask"] = file.mask.string();
    json["wasCutOut"] = file.hadMask;
    if (!file.error.empty()) json["error"] = file.error;
    if (file.fraction > 0) {
        json["fraction"] = file.fraction;
        json["ms"] = file.milliseconds;
    }
    if (!file.warning.empty()) json["doubt"] = file.warning;
    if (file.repaired) json["repaired"] = true;
    if (!file.replaced.empty()) json["replaced"] = file.replaced.string();
    return json;
}

/// Folder of the cameras of a photograph: beside it, or above; empty: there are none.
fs::path cameraFolderOf(const fs::path& photograph) {
    const fs::path folder = absolutePath(photograph).parent_path();
    for (const fs::path& each : {folder, folder.parent_path()})
        if (!cameraFileIn(each).empty() || isFile(metadataFileIn(each))) return each;
    return {};
}

/// Folders with a camera file, beside the photographs or above.
std::set<fs::path> cameraFoldersOf(const std::vector<MaskResult>& files) {
    std::set<fs::path> folders;
    for (const MaskResult& file : files)
        if (const fs::path folder = cameraFolderOf(file.photograph);
            !folder.empty() && !cameraFileIn(folder).empty())
            folders.insert(folder);
    return folders;
}

/// Writes a mask. An existing mask of Threefold's own goes to the folder `replaced`, unless an
/// earlier one is there.
void replaceMask(MaskResult& file, const Image& mask) {
    const fs::path own = ownMaskFile(file.photograph);
    if (isFile(own)) {
        const fs::path kept = own.parent_path() / "replaced" / own.filename();
        std::error_code unreadable;
        if (fs::is_symlink(kept.parent_path(), unreadable))
            throw IoError({kept.parent_path().string(), "",
                           "is a symbolic link; masks are not written through links",
                           "Put a folder of its own there."});
        if (!isFile(kept)) {
            makeFolder(kept.parent_path());
            writeFileAtomically(kept, readFile(own));
        }
        file.replaced = kept;
    }
    file.mask = writeOwnMask(file.photograph, mask);
}

/// Warns of a doubtful mask. Replaces the mask if `doubtful` has a repaired one; else adds the
/// warning to CutoutFile::warning.
void applyDoubt(MaskResult& file, const ContradictingMask& doubtful) {
    if (doubtful.repaired) {
        replaceMask(file, *doubtful.repaired);
        file.repaired = true;
        file.error.clear();
        spdlog::warn(
            "{}: {}. {}; look at {}.{}", file.photograph.string(), doubtful.reason,
            doubtful.fromHull ? "Its mask is now the outline that the others show"
                              : "It was cut out again, guided by the other masks",
            file.mask.string(),
            file.replaced.empty() ? "" : " The old mask is " + file.replaced.string() + '.');
        return;
    }
    const std::string doubt =
        fmt::format("{}: {}. Look at {}.", file.photograph.string(), doubtful.reason,
                    file.mask.empty() ? "it" : file.mask.string());
    spdlog::warn("{}", doubt);
    file.warning += (file.warning.empty() ? "" : " ") + doubt;
}

/// Judges the masks of a folder with cameras. Ignores a camera file that cannot be read; the
/// command that needs the cameras reports it.
void judgeFolder(const fs::path& folder, std::vector<MaskResult>& files, bool repair,
                 const std::stop_token& cancel) try {
    const Sample sample = findSample(folder);
    for (const ContradictingMask& doubtful :
         repair ? repairContradictingMasks(sample, cancel) : findContradictingMasks(sample, cancel))
        for (MaskResult& file : files) {
            std::error_code unreadable;
            if (fs::equivalent(file.photograph, doubtful.photograph, unreadable))
                applyDoubt(file, doubtful);
        }
} catch (const InputError& error) {
    spdlog::warn("{}", error.what());  // such as masks that do not show one object
} catch (const FormatError&) {
}

/// Names the masks that contradict those of the other photographs, where a camera file lies beside
/// them or above, and repairs them if asked to.
void judgeByCameras(std::vector<MaskResult>& files, bool repair, const std::stop_token& cancel) {
    const std::set<fs::path> folders = cameraFoldersOf(files);
    if (repair && folders.empty())
        throw UsageError({"--repair", "", "needs the cameras of the photographs",
                          "Find them by `board`, `turntable` or `cameras` first."});
    for (const fs::path& folder : folders) judgeFolder(folder, files, repair, cancel);
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

/// Cuts out the object of --box or --point in all photographs that have cameras.
ExitCode cutOutEverywhere(const CutoutRequest& request, const std::stop_token& cancel) {
    const ObjectHint hint = hintOf(request, photographsIn(request.photographs));
    const fs::path folder = cameraFolderOf(hint.photograph);
    if (folder.empty())
        throw UsageError({request.box.empty() ? "--point" : "--box", "",
                          "needs the cameras of the photographs",
                          "Find them by `board`, `turntable` or `cameras` first."});
    std::vector<MaskResult> files;
    for (const PropagatedMask& carried : propagateObject(folder, hint, cancel)) {
        MaskResult& file = files.emplace_back();
        file.photograph = carried.photograph;
        if (!carried.mask) {
            file.error = fmt::format("{}: {}", carried.photograph.string(), carried.problem);
            spdlog::error("{}", file.error);
            continue;
        }
        std::size_t inside = 0;
        for (std::size_t i = 0; i < carried.mask->rgba.size(); i += 4)
            inside += carried.mask->rgba[i] != 0 ? 1 : 0;
        file.fraction = static_cast<double>(4 * inside) / double(carried.mask->rgba.size());
        replaceMask(file, *carried.mask);
        if (!request.json)
            printText(fmt::format("{}  {:.1f} % of the picture  {}{}\n", file.photograph.string(),
                                  100 * file.fraction, file.mask.string(),
                                  file.replaced.empty() ? "" : ", was " + file.replaced.string()));
    }
    if (request.json) printJson(jsonList(files, fileJson));
    return exitCodeOf(files, [](const MaskResult& file) { return file.error.empty(); });
}

ExitCode cutout(const CutoutRequest& request) {
    Interrupt interrupt;
    const Interrupt::ImmediateExit immediateExit(interrupt);
    if (!request.box.empty() || !request.point.empty())
        return cutOutEverywhere(request, interrupt.token());
    const std::vector<std::filesystem::path> photographs = photographsIn(request.photographs);
    const NamedMasks named =
        request.overwrite ? NamedMasks{} : masksNamedByCameras(photographs, interrupt.token());
    const auto print = [&](const CutoutFile& file) {
        if (!file.error.empty()) spdlog::error("{}", file.error);
        if (!file.warning.empty()) spdlog::warn("{}", file.warning);
        if (file.error.empty() && !request.json) printText(maskLine(file));
    };
    std::vector<MaskResult> files;
    const CutoutOptions options{.overwrite = request.overwrite, .named = named, .onDone = print};
    for (CutoutFile& file : cutOutFiles(photographs, options, interrupt.token()))
        files.push_back({std::move(file), {}, false});
    judgeByCameras(files, request.repair, interrupt.token());
    if (request.json) printJson(jsonList(files, fileJson));
    return exitCodeOf(files, [](const MaskResult& file) { return file.error.empty(); });
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
