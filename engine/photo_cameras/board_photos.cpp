#include "engine/photo_cameras/board_photos.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "engine/board/board_layout.h"
#include "engine/board/family_search.h"
#include "engine/board/sheet_layout.h"
#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/pictures/image_info.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/json_text.h"
#include "engine/photo_cameras/cameras_json.h"
#include "engine/photo_cameras/photo_masks.h"
#include "engine/profile/stopwatch.h"
#include "engine/silhouettes/object_box.h"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace threefold {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kBoardMaker = "threefold board";

board::MarkedPhoto detectMarkersIn(const fs::path& file, const board::MarkerFamily& family,
                                   std::string& problem) {
    board::MarkedPhoto found;
    try {
        requireNameInJson(file);
        const std::vector<std::byte> bytes = readFile(file, kMaxContentBytes);
        const Image image = decodeImage(bytes, file);
        found.focalLength35mm = decodeImageInfo(bytes, file).exif.focalLength35mm;
        found.size = {image.width, image.height};
        found.markers = board::detectMarkers(image, family, file);
    } catch (const Error& error) {
        problem = error.what();
    }
    return found;
}

/// Markers of one family in all photographs.
struct FamilyMarkers {
    const board::MarkerFamily* family = nullptr;
    std::vector<BoardPhoto> photos;
    std::vector<board::MarkedPhoto> markers;
};

FamilyMarkers detectInAll(std::span<const fs::path> photographs, const board::MarkerFamily& family,
                          const std::stop_token& cancel, const ProgressCallbacks& callbacks) {
    std::mutex calls;
    std::size_t done = 0;
    FamilyMarkers all{&family, std::vector<BoardPhoto>(photographs.size()),
                      std::vector<board::MarkedPhoto>(photographs.size())};
    parallelFor(resolveThreadCount(0), photographs.size(), cancel, [&](std::size_t i, std::size_t) {
        BoardPhoto& photo = all.photos[i];
        photo.file = photographs[i];
        all.markers[i] = detectMarkersIn(photographs[i], family, photo.problem);
        photo.markerCount = all.markers[i].markers.size();
        const std::scoped_lock lock(calls);
        callbacks.report("looking for markers", ++done, photographs.size());
    });
    return all;
}

/// The family with most markers in up to kMaxSampledPhotos photographs, evenly spread over the
/// list; nullopt if findFamily() returns nullopt.
std::optional<board::FamilyDetection> familyIn(std::span<const fs::path> photographs,
                                               const std::stop_token& cancel) {
    constexpr std::size_t kMaxSampledPhotos = 6;
    std::vector<Image> images;
    const std::size_t count = std::min(kMaxSampledPhotos, photographs.size());
    for (std::size_t i = 0; i < count; ++i) {
        if (cancel.stop_requested()) throw Cancelled();
        try {
            Image image = readImage(photographs[i * photographs.size() / count]);
            if (std::min(image.width, image.height) >= board::kMinMarkerPictureSide)
                images.push_back(std::move(image));
        } catch (const Error&) {
            continue;  // detectMarkersIn(), which reads all photographs, records the error
        }
    }
    return board::findFamily(images);
}

/// Detects markers of `options.family`. If that is null, detects markers of the printed board's
/// family; if fewer than two photographs show two of these markers, detects markers of the family
/// that familyIn() finds.
FamilyMarkers detectFamilyMarkers(std::span<const fs::path> photographs,
                                  const BoardCamerasOptions& options,
                                  const std::stop_token& cancel) {
    const board::MarkerFamily& first =
        options.family != nullptr ? *options.family : board::boardFamily();
    FamilyMarkers markers = detectInAll(photographs, first, cancel, options.callbacks);
    const auto useful = std::ranges::count_if(
        markers.photos, [](const BoardPhoto& photo) { return photo.markerCount >= 2; });
    if (options.family != nullptr || useful >= 2) return markers;
    const std::optional<board::FamilyDetection> found = familyIn(photographs, cancel);
    if (!found || found->family == &first) return markers;
    return detectInAll(photographs, *found->family, cancel, options.callbacks);
}

/// Calibrates the photographs in `result` from their markers. If calibrate() throws an InputError,
/// reports the problem of each photograph, adds the name of the detected family to the error and
/// rethrows it.
board::Calibration calibrated(const BoardCamerasResult& result,
                              const std::vector<board::MarkedPhoto>& markers,
                              const BoardCamerasOptions& options, const std::stop_token& cancel) {
    try {
        return board::calibrate(markers, *result.family, options.unknownSheetMarkerSideMm, cancel);
    } catch (const InputError& error) {
        for (const BoardPhoto& photo : result.photos)
            options.callbacks.reportProblem(photo.problem);
        const bool anySeen = std::ranges::any_of(
            result.photos, [](const BoardPhoto& photo) { return photo.markerCount > 0; });
        if (!anySeen) throw;
        ErrorReport report = error.report();
        report.problem +=
            fmt::format("; the markers found are of the family {}", result.family->name);
        throw InputError(report);
    }
}

/// Scales the world of the cameras and of the sheet.
void scaleWorld(board::Calibration& calibration, double factor) {
    for (board::CalibratedCamera& camera : calibration.cameras) camera.pose.centre *= factor;
    if (std::optional<board::SheetLayout>& sheet = calibration.sheet) {
        std::vector<board::SheetMarker> markers = std::move(sheet->markers);
        for (board::SheetMarker& marker : markers)
            for (glm::dvec2& corner : marker.corners) corner *= factor;
        sheet = board::makeSheetLayout(*sheet->family, std::move(markers));
    }
}

/// Records the reprojection error of each photograph with a camera, and why each other photograph
/// has no camera.
void noteCalibration(BoardCamerasResult& result) {
    for (const board::LeftOutPhoto& each : result.calibration.leftOut)
        if (BoardPhoto& photo = result.photos[each.photoIndex]; photo.problem.empty())
            photo.problem = fmt::format("{}: {}", photo.file.string(), each.reason);
    for (const board::CalibratedCamera& camera : result.calibration.cameras)
        result.photos[camera.photoIndex].reprojectionError = camera.reprojectionError;
}

/// Masks of the photographs with a camera, in the order of the cameras. Records warnings and errors
/// of the masks in `result`.
std::vector<std::optional<Mask>> masksOf(BoardCamerasResult& result,
                                         const BoardCamerasOptions& options,
                                         const std::stop_token& cancel) {
    const board::Calibration& calibration = result.calibration;
    std::vector<CameraPhoto*> photographs;
    for (const board::CalibratedCamera& camera : calibration.cameras)
        photographs.push_back(&result.photos[camera.photoIndex]);
    return makeAndReadMasks(photographs, options.makesMasks,
                            calibration.sheet ? &*calibration.sheet : &board::printedBoard(),
                            options.callbacks, cancel);
}

void writeBoardCameras(const BoardCamerasResult& result) {
    Json details = {{"reprojection_error_px", result.calibration.reprojectionError}};
    if (result.calibration.sheet) details["sheet"] = board::sheetJson(*result.calibration.sheet);
    Json views = jsonArray(result.calibration.cameras, [&](const board::CalibratedCamera& camera) {
        Json view = viewJson(result.photos[camera.photoIndex].file, camera.pose, camera.lens);
        view["markers"] = camera.markerCount;
        view["reprojection_error_px"] = camera.reprojectionError;
        return view;
    });
    writeCameras(result, kBoardMaker, details, std::move(views));
}

}  // namespace

BoardCamerasResult findBoardCameras(std::span<const fs::path> photographs,
                                    const BoardCamerasOptions& options,
                                    const std::stop_token& cancel) {
    const Stopwatch watch;
    BoardCamerasResult result;
    result.cameraFile = cameraFileFor(photographs, kBoardMaker, options.overwrite);
    FamilyMarkers found = detectFamilyMarkers(photographs, options, cancel);
    result.family = found.family;
    result.photos = std::move(found.photos);
    options.callbacks.report("finding cameras", 0, 0);
    result.calibration = calibrated(result, found.markers, options, cancel);
    result.unit = options.inMetres ? "m" : "mm";
    const double printScale =
        result.calibration.hasPrintedBoard ? options.measuredBarMm / board::kScaleBarLength : 1;
    scaleWorld(result.calibration, printScale * (options.inMetres ? 1e-3 : 1));
    noteCalibration(result);
    result.isUpKnown = result.calibration.isUpKnown;
    result.objectBox =
        objectBox(posedMasks(result.calibration.cameras, masksOf(result, options, cancel)),
                  result.isUpKnown, cancel);
    writeBoardCameras(result);
    result.milliseconds = watch.milliseconds();
    return result;
}

std::vector<std::size_t> markerCounts(std::span<const fs::path> photographs,
                                      const std::stop_token& cancel) {
    if (!board::canDetectMarkers()) return std::vector<std::size_t>(photographs.size());
    std::vector<std::size_t> markers;
    for (const BoardPhoto& photo :
         detectFamilyMarkers(photographs, BoardCamerasOptions{}, cancel).photos)
        markers.push_back(photo.markerCount);
    return markers;
}

}  // namespace threefold
