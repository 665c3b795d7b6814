#include "engine/photo_cameras/photo_cameras.h"

#include <mutex>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <omp.h>

#include "engine/board/board_layout.h"
#include "engine/compute/parallel.h"
#include "engine/cutout/cutout.h"
#include "engine/error.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/json_list.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kBoardMaker = "threefold board";

board::Sighting sightingOf(const fs::path& file, std::string& problem) {
    board::Sighting sighting;
    try {
        requireNameInJson(file);
        const Image image = readImage(file);
        sighting.focal35 = readImageHead(file).exif.focal35;
        sighting.size = {image.width, image.height};
        sighting.markers = board::findMarkers(image);
    } catch (const Error& error) {
        ErrorReport report = error.report();
        if (report.subject == "photograph") report.subject = file.string();
        problem = Error(report).what();
    }
    return sighting;
}

std::pair<std::vector<BoardPhoto>, std::vector<board::Sighting>> sightingsOf(
    std::span<const fs::path> photographs, const std::stop_token& cancel,
    const PhotoReports& reports) {
    std::mutex calls;
    std::size_t done = 0;
    std::vector<BoardPhoto> photos(photographs.size());
    std::vector<board::Sighting> sightings(photographs.size());
    parallelFor(omp_get_max_threads(), photographs.size(), cancel, [&](std::size_t i, std::size_t) {
        photos[i].file = photographs[i];
        sightings[i] = sightingOf(photographs[i], photos[i].problem);
        photos[i].markers = sightings[i].markers.size();
        const std::scoped_lock lock(calls);
        reports.report("looking for markers", ++done, photos.size());
    });
    return {std::move(photos), std::move(sightings)};
}

std::optional<ObjectBox> boxOf(const BoardResult& result, std::span<const fs::path> calibrated,
                               const std::stop_token& cancel) {
    const std::vector<std::optional<Mask>> masks = smallMasks(calibrated, cancel);
    std::vector<CalibratedMask> views;
    for (std::size_t i = 0; i < masks.size(); ++i) {
        const board::BoardCamera& camera = result.calibration.cameras[i];
        if (masks[i]) views.push_back({camera.camera, camera.lens, *masks[i]});
    }
    return objectBox(views, result.calibration.knownLayout, cancel);
}

std::string camerasJson(const BoardResult& result) {
    Json json = camerasHead(kBoardMaker, result.unit, result.calibration.upIsKnown, result.object);
    json["reprojection_error_px"] = result.calibration.error;
    json["views"] = jsonList(result.calibration.cameras, [&](const board::BoardCamera& camera) {
        Json view = cameraView(result.photos[camera.sighting].file, camera.camera, camera.lens);
        view["markers"] = camera.markers;
        view["reprojection_error_px"] = camera.error;
        return view;
    });
    return json.dump(1) + '\n';
}

}  // namespace

BoardResult calibrateByBoard(std::span<const fs::path> photographs, const BoardOptions& options,
                             const std::stop_token& cancel) {
    const Stopwatch time;
    BoardResult result;
    result.file = camerasFileFor(photographs, kBoardMaker, options.overwrite);
    std::vector<board::Sighting> sightings;
    std::tie(result.photos, sightings) = sightingsOf(photographs, cancel, options.reports);
    options.reports.report("finding cameras", 0, 0);
    try {
        result.calibration = board::calibrate(sightings, options.otherMarkerSide, cancel);
    } catch (const InputError&) {
        for (const BoardPhoto& photo : result.photos)
            if (!photo.problem.empty() && options.reports.problem)
                options.reports.problem(photo.problem);
        throw;
    }
    result.unit = options.metres ? "m" : "mm";
    const double printScale = result.calibration.knownLayout ? options.barMm / board::kBar : 1;
    for (board::BoardCamera& camera : result.calibration.cameras)
        camera.camera.origin *= printScale * (options.metres ? 1e-3 : 1);
    for (const auto& [i, reason] : result.calibration.leftOut)
        if (result.photos[i].problem.empty())
            result.photos[i].problem = fmt::format("{}: {}", photographs[i].string(), reason);
    std::vector<fs::path> calibrated;
    for (const board::BoardCamera& camera : result.calibration.cameras) {
        result.photos[camera.sighting].error = camera.error;
        calibrated.push_back(photographs[camera.sighting]);
    }
    if (options.cutOut) {
        const std::vector<CutoutFile> files = cutOutFiles(
            calibrated, false, cancel, cutOutProgress(options.reports, calibrated.size()));
        for (std::size_t i = 0; i < files.size(); ++i) {
            BoardPhoto& photo = result.photos[result.calibration.cameras[i].sighting];
            photo.doubt = files[i].doubt;
            photo.maskError = files[i].error;
        }
    }
    options.reports.report("finding the object", 0, 0);
    result.object = boxOf(result, calibrated, cancel);
    writeFileWhole(result.file, camerasJson(result));
    result.milliseconds = time.milliseconds();
    return result;
}

std::vector<std::size_t> markersIn(std::span<const fs::path> photographs,
                                   const std::stop_token& cancel) {
    std::vector<std::size_t> markers;
    for (const BoardPhoto& photo : sightingsOf(photographs, cancel, {}).first)
        markers.push_back(photo.markers);
    return markers;
}

}  // namespace threefold
