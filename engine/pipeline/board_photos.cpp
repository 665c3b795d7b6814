#include "engine/pipeline/board_photos.h"

#include <algorithm>
#include <cmath>
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
#include "engine/views/foreground.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kMaker = "threefold board";

/// The cameras.json to write. Throws InputError.
fs::path fileFor(std::span<const fs::path> photographs, bool overwrite) {
    if (photographs.empty())
        throw InputError({"board", "", "there is no photograph", "Name some, or their folder."});
    const fs::path folder = photographs.front().parent_path();
    for (const fs::path& photograph : photographs)
        if (photograph.parent_path() != folder)
            throw InputError({photograph.string(), "",
                              fmt::format("is not in {} with the others", folder.string()),
                              "Put photographs of one object into one folder."});
    fs::path file = folder / "cameras.json";
    if (!overwrite && isFile(file)) {
        const std::vector<std::byte> bytes = readFile(file);
        const auto* text = reinterpret_cast<const char*>(bytes.data());
        const auto there = nlohmann::json::parse(text, text + bytes.size(), nullptr, false);
        if (!there.is_object() || !there.contains("made_by") || there["made_by"] != kMaker)
            throw InputError({file.string(), "", "is there already, and not by 'threefold board'",
                              "Move it away, or give --overwrite."});
    }
    requireWritable(file);
    return file;
}

board::Sighting sightingOf(const fs::path& file, std::string& problem) {
    board::Sighting sighting;
    try {
        const Image image = readImage(file);
        sighting.focal35 = readImageHead(file).exif.focal35;
        sighting.size = {image.width, image.height};
        sighting.markers = board::findMarkers(image);
    } catch (const Cancelled&) {
        throw;
    } catch (const Error& error) {
        problem = error.what();
    }
    return sighting;
}

std::pair<std::vector<BoardPhoto>, std::vector<board::Sighting>> sightingsOf(
    std::span<const fs::path> photographs, const std::stop_token& cancel) {
    std::vector<BoardPhoto> photos(photographs.size());
    std::vector<board::Sighting> sightings(photographs.size());
    parallelFor(omp_get_max_threads(), photographs.size(), cancel, [&](std::size_t i, std::size_t) {
        photos[i].file = photographs[i];
        sightings[i] = sightingOf(photographs[i], photos[i].problem);
        photos[i].markers = sightings[i].markers.size();
    });
    return {std::move(photos), std::move(sightings)};
}

std::optional<board::ObjectBox> boxOf(const BoardResult& result, const std::stop_token& cancel) {
    constexpr int kSide = 640;
    const auto& cameras = result.calibration.cameras;
    std::vector<std::optional<board::Outline>> read(cameras.size());
    parallelFor(omp_get_max_threads(), cameras.size(), cancel, [&](std::size_t i, std::size_t) {
        const fs::path& file = result.photos[cameras[i].sighting].file;
        try {
            const std::optional<Mask> mask = foregroundOf(readPhotograph(file));
            if (!mask) return;
            const double scale =
                std::min(1.0, static_cast<double>(kSide) / std::max(mask->width, mask->height));
            const auto scaled = [&](int pixels) {
                return std::max(1, static_cast<int>(std::lround(pixels * scale)));
            };
            read[i] = {cameras[i].camera, cameras[i].lens,
                       resized(*mask, scaled(mask->width), scaled(mask->height))};
        } catch (const Error&) {
            return;  // a mask that cannot be read is told of where the view is used
        }
    });
    std::vector<board::Outline> outlines;
    for (auto& outline : read)
        if (outline) outlines.push_back(*std::move(outline));
    return objectBox(outlines, result.calibration.knownLayout);
}

Json vectorJson(glm::dvec3 v) {
    return {v.x, v.y, v.z};
}

Json viewJson(const BoardResult& result, const board::BoardCamera& camera) {
    const glm::dmat3 turned(1, 0, 0, 0, -1, 0, 0, 0, -1);  // to y down, looking along +z
    const glm::dmat3 rotation = turned * camera.camera.rotation;
    const glm::dvec3 shift = -(rotation * camera.camera.origin);
    Json matrix = Json::array();
    for (int row = 0; row < 3; ++row)
        matrix.push_back({rotation[0][row], rotation[1][row], rotation[2][row], shift[row]});
    matrix.push_back({0, 0, 0, 1});
    const Lens& lens = camera.lens;
    return {
        {"image", result.photos[camera.sighting].file.filename().string()},
        {"width", lens.width},
        {"height", lens.height},
        {"intrinsics", {{lens.focalX, 0, lens.centreX}, {0, lens.focalY, lens.centreY}, {0, 0, 1}}},
        {"distortion", {lens.k1, lens.k2, 0, 0}},
        {"matrix", std::move(matrix)},
        {"markers", camera.markers},
        {"reprojection_error_px", camera.error}};
}

std::string camerasJson(const BoardResult& result) {
    Json json = {{"made_by", kMaker},
                 {"convention", "opencv"},
                 {"matrices", "world_to_camera"},
                 {"unit", result.unit}};
    if (result.calibration.upIsKnown) json["up"] = {0, 0, 1};
    if (result.object) {
        json["object_centre"] = vectorJson(result.object->centre());
        json["object_size"] = result.object->diagonal();
    }
    json["reprojection_error_px"] = result.calibration.error;
    json["views"] = jsonList(result.calibration.cameras, [&](const board::BoardCamera& camera) {
        return viewJson(result, camera);
    });
    return json.dump(1) + '\n';
}

}  // namespace

BoardResult calibrateByBoard(std::span<const fs::path> photographs, const BoardOptions& options,
                             const std::stop_token& cancel) {
    const Stopwatch time;
    BoardResult result;
    result.file = fileFor(photographs, options.overwrite);
    std::vector<board::Sighting> sightings;
    std::tie(result.photos, sightings) = sightingsOf(photographs, cancel);
    result.calibration = board::calibrate(sightings, options.otherMarkerSide);
    result.unit = options.metres ? "m" : "mm";
    const double printed = result.calibration.knownLayout ? options.barMm / board::kBar : 1;
    for (board::BoardCamera& each : result.calibration.cameras)
        each.camera.origin *= printed * (options.metres ? 1e-3 : 1);
    for (const auto& [i, reason] : result.calibration.leftOut)
        if (result.photos[i].problem.empty())
            result.photos[i].problem = fmt::format("{}: {}", photographs[i].string(), reason);
    std::vector<fs::path> calibrated;
    for (const board::BoardCamera& camera : result.calibration.cameras) {
        result.photos[camera.sighting].error = camera.error;
        calibrated.push_back(photographs[camera.sighting]);
    }
    if (options.cutOut) {
        const std::vector<CutoutFile> files = cutOutFiles(calibrated, false, cancel);
        for (std::size_t i = 0; i < files.size(); ++i)
            result.photos[result.calibration.cameras[i].sighting].doubt =
                files[i].error.empty() ? files[i].doubt : files[i].error;
    }
    result.object = boxOf(result, cancel);
    writeFileWhole(result.file, camerasJson(result));
    result.milliseconds = time.milliseconds();
    return result;
}

std::vector<std::size_t> markersIn(std::span<const fs::path> photographs,
                                   const std::stop_token& cancel) {
    std::vector<std::size_t> markers;
    for (const BoardPhoto& photo : sightingsOf(photographs, cancel).first)
        markers.push_back(photo.markers);
    return markers;
}

}  // namespace threefold
