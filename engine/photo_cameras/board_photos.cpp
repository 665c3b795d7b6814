#include "engine/photo_cameras/board_photos.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "engine/board/board_layout.h"
#include "engine/board/family_search.h"
#include "engine/board/sheet_layout.h"
#include "engine/compute/parallel.h"
#include "engine/cutout/cutout.h"
#include "engine/error.h"
#include "engine/formats/bytes/write_file.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/json_text.h"
#include "engine/photo_cameras/cameras_json.h"
#include "engine/photo_cameras/photo_masks.h"
#include "engine/profile/stopwatch.h"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace threefold {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kBoardMaker = "threefold board";

board::PhotographMarkers markersOf(const fs::path& file, const board::MarkerFamily& family,
                                   std::string& problem) {
    board::PhotographMarkers found;
    try {
        requireNameInJson(file);
        const Image image = readImage(file);
        found.focal35 = readImageHead(file).exif.focal35;
        found.size = {image.width, image.height};
        found.markers = board::detectMarkers(image, family);
    } catch (const Error& error) {
        ErrorReport report = error.report();
        if (report.subject == "photograph") report.subject = file.string();
        problem = Error(report).what();
    }
    return found;
}

/// Markers of one family in all photographs.
struct FamilyMarkers {
    const board::MarkerFamily* family = nullptr;
    std::vector<BoardPhotograph> photos;
    std::vector<board::PhotographMarkers> markers;
};

FamilyMarkers markersOf(std::span<const fs::path> photographs, const board::MarkerFamily& family,
                        const std::stop_token& cancel, const PhotoReports& reports) {
    std::mutex calls;
    std::size_t done = 0;
    FamilyMarkers all{&family, std::vector<BoardPhotograph>(photographs.size()),
                      std::vector<board::PhotographMarkers>(photographs.size())};
    parallelFor(usableThreads(0), photographs.size(), cancel, [&](std::size_t i, std::size_t) {
        BoardPhotograph& photo = all.photos[i];
        photo.file = photographs[i];
        all.markers[i] = markersOf(photographs[i], family, photo.problem);
        photo.markerCount = all.markers[i].markers.size();
        const std::scoped_lock lock(calls);
        reports.report("looking for markers", ++done, photographs.size());
    });
    return all;
}

/// Family that most markers of a few of the photographs belong to, from all around.
std::optional<board::FamilyFound> familyIn(std::span<const fs::path> photographs,
                                           const std::stop_token& cancel) {
    constexpr std::size_t kLooked = 6;  // photographs
    std::vector<Image> images;
    const std::size_t count = std::min(kLooked, photographs.size());
    for (std::size_t i = 0; i < count; ++i) {
        if (cancel.stop_requested()) throw Cancelled();
        try {
            Image image = readImage(photographs[i * photographs.size() / count]);
            if (std::min(image.width, image.height) >= board::kMinPictureSide)
                images.push_back(std::move(image));
        } catch (const Error&) {
            continue;  // named where all photographs are read
        }
    }
    return board::findFamily(images);
}

/// Markers of the family that was asked for, of the printed board's, or of the one that is seen.
FamilyMarkers markersOf(std::span<const fs::path> photographs, const BoardCamerasOptions& options,
                        const std::stop_token& cancel) {
    const board::MarkerFamily& first =
        options.family != nullptr ? *options.family : board::boardFamily();
    FamilyMarkers markers = markersOf(photographs, first, cancel, options.reports);
    const auto useful = std::ranges::count_if(
        markers.photos, [](const BoardPhotograph& photo) { return photo.markerCount >= 2; });
    if (options.family != nullptr || useful >= 2) return markers;
    const std::optional<board::FamilyFound> found = familyIn(photographs, cancel);
    if (!found || found->family == &first) return markers;
    return markersOf(photographs, *found->family, cancel, options.reports);
}

std::optional<Box3d> boxOf(const BoardCamerasResult& result,
                           std::span<const std::optional<Mask>> masks,
                           const std::stop_token& cancel) {
    std::vector<CalibratedMask> views;
    for (std::size_t i = 0; i < masks.size(); ++i) {
        const board::BoardCamera& camera = result.calibration.cameras[i];
        if (masks[i]) views.push_back({camera.camera, camera.lens, *masks[i]});
    }
    return objectBox(views, result.calibration.upIsKnown, cancel);
}

std::string camerasJson(const BoardCamerasResult& result) {
    Json json = camerasHead(kBoardMaker, result.unit, result.calibration.upIsKnown, result.object);
    json["reprojection_error_px"] = result.calibration.reprojectionError;
    if (result.calibration.sheet) json["sheet"] = board::sheetJson(*result.calibration.sheet);
    json["views"] = jsonList(result.calibration.cameras, [&](const board::BoardCamera& camera) {
        Json view =
            cameraView(result.photos[camera.photographIndex].file, camera.camera, camera.lens);
        view["markers"] = camera.markerCount;
        view["reprojection_error_px"] = camera.reprojectionError;
        return view;
    });
    return json.dump(1) + '\n';
}

}  // namespace

BoardCamerasResult findBoardCameras(std::span<const fs::path> photographs,
                                    const BoardCamerasOptions& options,
                                    const std::stop_token& cancel) {
    const Stopwatch time;
    BoardCamerasResult result;
    result.file = camerasFileFor(photographs, kBoardMaker, options.overwrite);
    FamilyMarkers found = markersOf(photographs, options, cancel);
    result.family = found.family;
    result.photos = std::move(found.photos);
    options.reports.report("finding cameras", 0, 0);
    try {
        result.calibration =
            board::calibrate(found.markers, *found.family, options.otherMarkerSide, cancel);
    } catch (const InputError& error) {
        for (const BoardPhotograph& photo : result.photos)
            if (!photo.problem.empty() && options.reports.problem)
                options.reports.problem(photo.problem);
        const bool anySeen = std::ranges::any_of(
            result.photos, [](const BoardPhotograph& photo) { return photo.markerCount > 0; });
        if (!anySeen) throw;
        ErrorReport report = error.report();
        report.problem += fmt::format("; those seen are of the family {}", result.family->name);
        throw InputError(report);
    }
    result.unit = options.metres ? "m" : "mm";
    const double printScale =
        result.calibration.knownLayout ? options.barMm / board::kScaleBarLength : 1;
    const double unitScale = printScale * (options.metres ? 1e-3 : 1);
    for (board::BoardCamera& camera : result.calibration.cameras) camera.camera.centre *= unitScale;
    if (std::optional<board::SheetLayout>& sheet = result.calibration.sheet) {
        std::vector<board::SheetSquare> markers = std::move(sheet->markers);
        for (board::SheetSquare& marker : markers)
            for (glm::dvec2& corner : marker.corners) corner *= unitScale;
        sheet = board::makeSheetLayout(*sheet->family, std::move(markers));
    }
    for (const auto& [i, reason] : result.calibration.leftOut)
        if (result.photos[i].problem.empty())
            result.photos[i].problem = fmt::format("{}: {}", photographs[i].string(), reason);
    std::vector<fs::path> calibrated;
    for (const board::BoardCamera& camera : result.calibration.cameras) {
        result.photos[camera.photographIndex].reprojectionError = camera.reprojectionError;
        calibrated.push_back(photographs[camera.photographIndex]);
    }
    if (options.cutOut) {
        const std::optional<board::SheetLayout>& sheet = result.calibration.sheet;
        const std::vector<CutoutFile> files =
            cutOutFiles(calibrated,
                        {.sheet = sheet ? &*sheet : &board::printedBoard(),
                         .onDone = cutOutProgress(options.reports, calibrated.size())},
                        cancel);
        for (std::size_t i = 0; i < files.size(); ++i) {
            BoardPhotograph& photo = result.photos[result.calibration.cameras[i].photographIndex];
            photo.doubt = files[i].doubt;
            photo.maskError = files[i].error;
        }
    }
    options.reports.report("finding the object", 0, 0);
    const auto [masks, unreadable] = smallMasks(calibrated, cancel);
    for (std::size_t i = 0; i < unreadable.size(); ++i) {
        std::string& maskError =
            result.photos[result.calibration.cameras[i].photographIndex].maskError;
        if (maskError.empty()) maskError = unreadable[i];
    }
    result.object = boxOf(result, masks, cancel);
    writeFileWhole(result.file, camerasJson(result));
    result.milliseconds = time.milliseconds();
    return result;
}

std::vector<std::size_t> markersIn(std::span<const fs::path> photographs,
                                   const std::stop_token& cancel) {
    std::vector<std::size_t> markers;
    for (const BoardPhotograph& photo :
         markersOf(photographs, BoardCamerasOptions{}, cancel).photos)
        markers.push_back(photo.markerCount);
    return markers;
}

}  // namespace threefold
