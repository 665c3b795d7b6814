#include "engine/photo_cameras/markerless_cameras.h"

#include <cstddef>
#include <exception>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/photo_cameras/cameras_json.h"
#include "engine/photo_cameras/photo_masks.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;
using Cameras = std::vector<std::optional<PhotoCamera>>;
using Masks = std::vector<std::optional<Mask>>;

constexpr const char* kMarkerlessMaker = "threefold cameras";

/// Outcome of searchByColmap().
struct ColmapOutcome {
    std::optional<ColmapCamerasResult> result;
    std::exception_ptr failure;         ///< why there is no result
    std::string problem;                ///< the same in words
    std::vector<std::string> problems;  ///< of photographs, not reported yet
};

ColmapOutcome tryColmap(const fs::path& file, std::span<const fs::path> photographs,
                        const ColmapCamerasOptions& options, const std::stop_token& cancel) {
    ColmapOutcome outcome;
    // Another method may find these photographs' cameras.
    ColmapCamerasOptions quiet = options;
    quiet.callbacks.onUnreportedProblem = [&](const std::string& problem) {
        outcome.problems.push_back(problem);
    };
    try {
        outcome.result = searchByColmap(file, photographs, quiet, cancel);
    } catch (const InputError& error) {
        outcome.failure = std::current_exception();
        outcome.problem = fmt::format("{}: {}", error.report().subject, error.report().problem);
    }
    return outcome;
}

/// Cameras of a turntable, if they are sure.
std::optional<TurntableCamerasResult> tryTurntable(const std::vector<CameraPhoto>& photographs,
                                                   const Masks& masks,
                                                   const ColmapCamerasOptions& options,
                                                   const std::stop_token& cancel) {
    TurntableCamerasOptions turntable;
    turntable.callbacks.onProgress = options.callbacks.onProgress;
    try {
        for (const CameraPhoto& photograph : photographs) requireNameInJson(photograph.file);
        TurntableCamerasResult result =
            turntableCamerasByMasks(photographs, masks, turntable, cancel);
        if (result.solution.warnings.empty()) return result;
    } catch (const Error&) {
        // The outlines show no turntable.
    }
    return std::nullopt;
}

Cameras camerasOf(const ColmapCamerasResult& result) {
    Cameras cameras(result.photos.size());
    for (const structure_from_motion::RegisteredImage& image : result.model.images)
        cameras[image.photograph] = PhotoCamera{image.pose, image.lens};
    return cameras;
}

Cameras camerasOf(const TurntableCamerasResult& result) {
    Cameras cameras;
    for (const PosedMask& view : result.solution.views)
        cameras.emplace_back(PhotoCamera{view.pose, view.lens});
    return cameras;
}

template <class Result>
CameraCandidate candidateOf(CameraMethod method, const Result& result, const Masks& masks,
                            const ColmapCamerasOptions& options, const std::stop_token& cancel) {
    options.callbacks.report("comparing with the masks", 0, 0);
    CameraCandidate candidate{method, camerasOf(result), {}};
    candidate.score = outlineScore(candidate.cameras, masks, cancel);
    return candidate;
}

/// Scales the world so that the cameras are at this mean distance from the object.
void scaleTo(TurntableCamerasResult& result, double meanCameraDistance) {
    std::vector<PosedMask>& views = result.solution.views;
    const glm::dvec3 centre = result.objectBox ? result.objectBox->centre() : glm::dvec3(0.0);
    double mean = 0;
    for (const PosedMask& view : views)
        mean += glm::length(view.pose.centre - centre) / static_cast<double>(views.size());
    const double factor = meanCameraDistance / mean;
    for (PosedMask& view : views) view.pose.centre *= factor;
    if (result.objectBox)
        result.objectBox = {factor * result.objectBox->min, factor * result.objectBox->max};
    result.solution.objectBox = result.objectBox;
}

/// Copies what was noted about the masks of photographs with a camera.
void noteMasks(ColmapCamerasResult& result, const std::vector<CameraPhoto>& photographs) {
    for (const structure_from_motion::RegisteredImage& image : result.model.images) {
        result.photos[image.photograph].maskWarning = photographs[image.photograph].maskWarning;
        result.photos[image.photograph].maskError = photographs[image.photograph].maskError;
    }
}

std::string scoreText(const OutlineScore& score) {
    return fmt::format("{} of {} photographs, hull and masks overlap by {:.3f}", score.cameraCount,
                       score.photographCount, score.overlap);
}

/// `kept`: one of the candidates; `colmapProblem`: why COLMAP's cameras are none of them.
std::string choiceText(std::span<const CameraCandidate> candidates, const CameraCandidate& kept,
                       const std::string& colmapProblem) {
    const CameraCandidate& last = candidates.back();
    if (last.method == CameraMethod::colmap) return {};
    if (candidates.size() == 1)
        return fmt::format("The cameras are those of equal turns ({}): COLMAP has none ({}).",
                           scoreText(last.score), colmapProblem);
    const OutlineScore& colmap = candidates.front().score;
    if (kept.method == CameraMethod::turntable)
        return fmt::format(
            "The cameras are those of equal turns ({}): they explain {:.3f} of the outlines, "
            "COLMAP's {:.3f} ({}).",
            scoreText(last.score), last.score.explained, colmap.explained, scoreText(colmap));
    return fmt::format(
        "The cameras are COLMAP's ({}): they explain {:.3f} of the outlines, those of equal turns "
        "{:.3f} ({}).",
        scoreText(colmap), colmap.explained, last.score.explained, scoreText(last.score));
}

}  // namespace

MarkerlessCamerasResult findMarkerlessCameras(std::span<const fs::path> photographs,
                                              const ColmapCamerasOptions& options,
                                              const std::stop_token& cancel) {
    const Stopwatch watch;
    const fs::path file = cameraFileFor(photographs, kMarkerlessMaker, options.overwrite);
    ColmapOutcome colmap = tryColmap(file, photographs, options, cancel);
    std::vector<CameraPhoto> photos = sortedByName<CameraPhoto>(photographs);
    std::vector<CameraPhoto*> all;
    for (CameraPhoto& photo : photos) all.push_back(&photo);
    const Masks masks = makeAndReadMasks(all, options.cutsOut, nullptr, options.callbacks, cancel);

    MarkerlessCamerasResult result;
    if (colmap.result)
        result.candidates.push_back(
            candidateOf(CameraMethod::colmap, *colmap.result, masks, options, cancel));
    std::optional<TurntableCamerasResult> turntable;
    if (!colmap.result || !result.candidates.front().score.explainsAll()) {
        turntable = tryTurntable(photos, masks, options, cancel);
        if (turntable)
            result.candidates.push_back(
                candidateOf(CameraMethod::turntable, *turntable, masks, options, cancel));
    }
    if (result.candidates.empty()) {
        for (const std::string& problem : colmap.problems) options.callbacks.reportProblem(problem);
        std::rethrow_exception(colmap.failure);
    }

    const CameraCandidate& kept = bestCandidate(result.candidates);
    result.choice = choiceText(result.candidates, kept, colmap.problem);
    if (kept.method == CameraMethod::turntable) {
        turntable->file = file;
        scaleTo(*turntable, options.meanCameraDistance);
        writeTurntableCameras(*turntable, kMarkerlessMaker);
        turntable->milliseconds = watch.milliseconds();
        result.kept = *std::move(turntable);
    } else {
        noteMasks(*colmap.result, photos);
        boundObject(*colmap.result, masks, cancel);
        writeColmapCameras(*colmap.result, kMarkerlessMaker, options.meanCameraDistance);
        colmap.result->milliseconds = watch.milliseconds();
        result.kept = *std::move(colmap.result);
    }
    return result;
}

}  // namespace threefold
