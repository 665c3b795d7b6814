#include <memory>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include "app/commands/commands.h"
#include "app/console/interrupt.h"
#include "app/options/add_option.h"
#include "app/options/given_samples.h"
#include "engine/cutout/cutout.h"
#include "engine/error.h"
#include "engine/formats/bytes/folders.h"
#include "engine/json_list.h"
#include "engine/pipeline/doubtful_masks.h"
#include "engine/sample/data_set.h"
#include "engine/sample/posed_photos/camera_file.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCutoutExamples =
    R"(Finds the object in each photograph and writes its mask beside it, IMG_1.jpg's to
masks/IMG_1.png, which every other command and the window then read; the photograph itself is never
written to. Photographs that have a mask (also nerfstudio's or COLMAP's), transparent pixels or a
white background stay as they are. The object should be in the middle, whole, and differ in colour
from what the picture's border shows. Look at the masks: a line says which may be wrong;
with cameras beside the photographs, also which contradict the others.

Examples:
  threefold cutout mug
  threefold cutout mug/IMG_1.jpg mug/IMG_2.jpg --overwrite)";

struct CutoutRequest {
    std::vector<fs::path> photographs;
    bool overwrite = false;
    bool json = false;
};

std::string fileText(const CutoutFile& file) {
    if (file.wasCutOut)
        return fmt::format("{}  is cut out already{}\n", file.photograph.string(),
                           file.mask.empty() ? "" : ", by " + file.mask.string());
    return fmt::format("{}  {:.1f} % of the picture  {:.0f} ms  {}\n", file.photograph.string(),
                       100 * file.share, file.milliseconds, file.mask.string());
}

nlohmann::ordered_json fileJson(const CutoutFile& file) {
    nlohmann::ordered_json json = {{"photograph", file.photograph.string()}};
    if (!file.mask.empty()) json["mask"] = file.mask.string();
    json["wasCutOut"] = file.wasCutOut;
    if (!file.error.empty()) json["error"] = file.error;
    if (file.share > 0) {
        json["share"] = file.share;
        json["ms"] = file.milliseconds;
    }
    if (!file.doubt.empty()) json["doubt"] = file.doubt;
    return json;
}

/// Adds a doubt to the masks that contradict those of the other photographs, where a camera file
/// lies beside them or above; returns these files.
std::vector<CutoutFile> addContradictions(std::vector<CutoutFile>& files,
                                          const std::stop_token& cancel) {
    std::set<fs::path> folders;
    for (const CutoutFile& file : files) {
        const fs::path folder = absolutePath(file.photograph).parent_path();
        folders.insert(cameraFileIn(folder).empty() ? folder.parent_path() : folder);
    }
    std::vector<CutoutFile> contradicting;
    for (const fs::path& folder : folders) try {
            if (cameraFileIn(folder).empty()) continue;
            for (const DoubtfulMask& doubtful : findDoubtfulMasks(findSample(folder), cancel))
                for (CutoutFile& file : files) {
                    std::error_code unreadable;
                    if (!fs::equivalent(file.photograph, doubtful.photograph, unreadable)) continue;
                    const std::string doubt =
                        fmt::format("{}: {}. Look at {}.", file.photograph.string(),
                                    doubtful.reason, file.mask.string());
                    contradicting.push_back(file);
                    contradicting.back().doubt = doubt;
                    file.doubt += (file.doubt.empty() ? "" : " ") + doubt;
                }
        } catch (const InputError& error) {
            spdlog::warn("{}", error.what());  // such as masks that do not show one object
        } catch (const FormatError&) {
            continue;  // reported where the cameras are read
        }
    return contradicting;
}

ExitCode cutout(const CutoutRequest& request) {
    Interrupt interrupt;
    const Interrupt::AtOnce atOnce(interrupt);
    const std::vector<std::filesystem::path> photographs = photographsIn(request.photographs);
    const NamedMasks named =
        request.overwrite ? NamedMasks{} : masksNamedByCameras(photographs, interrupt.token());
    const auto print = [&](const CutoutFile& file) {
        if (!file.error.empty()) spdlog::error("{}", file.error);
        if (!file.doubt.empty()) spdlog::warn("{}", file.doubt);
        if (file.error.empty() && !request.json) printText(fileText(file));
    };
    std::vector<CutoutFile> files =
        cutOutFiles(photographs, request.overwrite, interrupt.token(), print, named);
    for (CutoutFile& file : addContradictions(files, interrupt.token()))
        spdlog::warn("{}", file.doubt);
    if (request.json) printJson(jsonList(files, fileJson));
    return exitCodeOf(files, [](const CutoutFile& file) { return file.error.empty(); });
}

}  // namespace

void addCutout(CLI::App& program, CommandLine& line) {
    auto request = std::make_shared<CutoutRequest>();
    CLI::App& command = addCommand(
        program, "cutout", "Cut objects out of photographs: a mask for each", kCutoutExamples);
    addValue(command, "photographs", request->photographs, "PHOTO...",
             "Photographs, or folders of them")
        ->required();
    command.add_flag("--overwrite", request->overwrite, "Also of those that are cut out already");
    command.add_flag("--json", request->json,
                     "A JSON array on standard output, an entry a photograph");
    setAction(command, line, [request] { return cutout(*request); });
}

}  // namespace threefold
