#include "engine/photo_cameras/markerless_cameras.h"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <optional>
#include <system_error>
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
    std::string problem;                ///< message of `failure`
    std::vector<std::string> problems;  ///< problems of photographs, not reported yet
};

ColmapOutcome tryColmap(const fs::path& file, std::span<const fs::path> photographs,
                        const ColmapCamerasOptions& options, const std::stop_token& cancel) {
    ColmapOutcome outcome;
    // The problems are reported only if no other method finds the photographs' cameras.
    ColmapCamerasOptions quiet = options;
    quiet.callbacks.onUnreportedProblem = [&](const std::string& problem) {
        outcome.problems.push_back(problem);
    };
    try {
        outcome.result = searchByColmap(file, photographs, {}, quiet, cancel);
    } catch (const InputError& error) {
        outcome.failure = std::current_exception();
        outcome.problem = fmt::format("{}: {}", error.report().subject, error.report().problem);
    }
    return outcome;
}

/// Cameras by COLMAP with features inside of the masks only; nullopt if COLMAP finds no cameras, or
/// if no mask shows a whole outline: without whole outlines, candidates cannot be compared.
std::optional<ColmapCamerasResult> tryColmapInMasks(const fs::path& file,
                                                    std::span<const fs::path> photographs,
                                                    const Masks& masks,
                                                    const ColmapCamerasOptions& options,
                                                    const std::stop_token& cancel) {
    const bool anyWhole = std::ranges::any_of(
        masks, [](const std::optional<Mask>& mask) { return mask && showsWholeOutline(*mask); });
    if (!anyWhole || !colmapIsInstalled()) return std::nullopt;
    ColmapCamerasOptions inMasks = options;
    inMasks.callbacks.onUnreportedProblem = {};
    inMasks.scratchFolder = options.scratchFolder / "in_masks";
    std::error_code ignored;  // without the folder, searchByColmap() throws
    fs::create_directory(inMasks.scratchFolder, ignored);
    try {
        return searchByColmap(file, photographs, masks, inMasks, cancel);
    } catch (const Error&) {
        return std::nullopt;  // the other candidates remain
    }
}

/// Cameras of a turntable; nullopt if none are found, or if the solution has warnings.
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

/// Copies the warnings and errors of the masks, for photographs with a camera.
void noteMasks(ColmapCamerasResult& result, const std::vector<CameraPhoto>& photographs) {
    for (const structure_from_motion::RegisteredImage& image : result.model.images) {
        result.photos[image.photograph].maskWarning = photographs[image.photograph].maskWarning;
        result.photos[image.photograph].maskError = photographs[image.photograph].maskError;
    }
}

const char* textOf(CameraMethod method) {
    switch (method) {
        case CameraMethod::colmap:
            return "COLMAP's";
        case CameraMethod::colmapInMasks:
            return "COLMAP's by features inside of the masks";
        case CameraMethod::turntable:
            break;
    }
    return "those of equal turns";
}

std::string textOf(const OutlineScore& score) {
    return fmt::format(
        "{:.3f} of the outlines ({} of {} photographs, hull and masks overlap by {:.3f})",
        score.explained, score.cameraCount, score.photographCount, score.overlap);
}

/// Text for MarkerlessCamerasResult::choice. `best`: index of the candidate that was kept;
/// `colmapProblem`: why there is no candidate by CameraMethod::colmap.
std::string choiceText(std::span<const CameraCandidate> candidates, std::size_t best,
                       const std::string& colmapProblem) {
    if (candidates.size() == 1 && candidates[0].method == CameraMethod::colmap) return {};
    std::string text = fmt::format("The cameras are {}: they explain {}",
                                   textOf(candidates[best].method), textOf(candidates[best].score));
    for (std::size_t i = 0; i < candidates.size(); ++i)
        if (i != best)
            text += fmt::format("; {} explain {}", textOf(candidates[i].method),
                                textOf(candidates[i].score));
    if (!colmapProblem.empty()) text += fmt::format("; COLMAP found none ({})", colmapProblem);
    return text + '.';
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
    const Masks masks =
        makeAndReadMasks(all, options.makesMasks, nullptr, options.callbacks, cancel);

    MarkerlessCamerasResult result;
    std::vector<std::variant<ColmapCamerasResult, TurntableCamerasResult>> found;
    const auto add = [&](CameraMethod method, auto cameras) {
        if (!cameras) return;
        options.callbacks.report("comparing with the masks", 0, 0);
        CameraCandidate candidate{method, camerasOf(*cameras), {}};
        candidate.score = outlineScore(candidate.cameras, masks, cancel);
        result.candidates.push_back(std::move(candidate));
        found.emplace_back(*std::move(cameras));
    };
    const auto isExplained = [&](bool (OutlineScore::*enough)() const) {
        return std::ranges::any_of(result.candidates, [&](const CameraCandidate& candidate) {
            return (candidate.score.*enough)();
        });
    };
    add(CameraMethod::colmap, std::move(colmap.result));
    if (!isExplained(&OutlineScore::explainsAll))
        add(CameraMethod::turntable, tryTurntable(photos, masks, options, cancel));
    if (!isExplained(&OutlineScore::explainsMost))
        add(CameraMethod::colmapInMasks,
            tryColmapInMasks(file, photographs, masks, options, cancel));
    if (result.candidates.empty()) {
        for (const std::string& problem : colmap.problems) options.callbacks.reportProblem(problem);
        std::rethrow_exception(colmap.failure);
    }

    const std::size_t best = bestCandidate(result.candidates);
    result.choice = choiceText(result.candidates, best, colmap.problem);
    result.method = result.candidates[best].method;
    result.kept = std::move(found[best]);
    std::visit([&](CameraSearchResult& kept) { kept.cameraFile = file; }, result.kept);
    if (auto* byFeatures = std::get_if<ColmapCamerasResult>(&result.kept)) {
        noteMasks(*byFeatures, photos);
        boundObject(*byFeatures, masks, cancel);
        writeColmapCameras(*byFeatures, kMarkerlessMaker, result.method,
                           options.meanCameraDistance);
    } else {
        auto& turntable = std::get<TurntableCamerasResult>(result.kept);
        scaleTo(turntable, options.meanCameraDistance);
        writeTurntableCameras(turntable, kMarkerlessMaker);
    }
    std::visit([&](CameraSearchResult& kept) { kept.milliseconds = watch.milliseconds(); },
               result.kept);
    return result;
}

}  // namespace threefold
