#pragma once

#include <algorithm>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "app/console/exit_code.h"
#include "app/console/output.h"
#include "engine/bounding_box.h"
#include "engine/photo_cameras/camera_search.h"
#include "engine/photo_cameras/progress_callbacks.h"
#include "engine/photo_cameras/turntable_photos.h"

namespace threefold {

/// Makes callbacks that log problems and, after the first second, show progress in `line`: "12/400
/// photographs: cutting out". `line` must outlive the callbacks.
ProgressCallbacks reportsOn(ProgressLine& line);

/// Logs the photograph's problem and mask error as errors, its mask warning as a warning.
void logRemarks(const CameraPhoto& photograph);

/// Adds "maskError" and "doubt" to a photograph's JSON, as far as there are any.
void addMaskRemarks(nlohmann::ordered_json& json, const CameraPhoto& photograph);

/// Size of the object: "210 × 95.2 × 80".
std::string sizeText(const Box3d& box);

/// {"low": [x, y, z], "high": [x, y, z]}
nlohmann::ordered_json boxJson(const Box3d& box);

/// One line, with its line end, about the cameras of a turntable: the motion, whether it is sure,
/// and the residuals.
std::string turntableText(const TurntableCamerasResult& result);

/// The cameras of a turntable as a JSON document, with an entry for each photograph.
nlohmann::ordered_json turntableJson(const TurntableCamerasResult& result);

/// Exit code of a search for cameras: failed if no photograph has a camera, someFailed if some have
/// none or a mask is missing, else done. `photographs`: a range of CameraPhoto.
template <class Photographs>
ExitCode exitCodeOfPhotographs(const Photographs& photographs) {
    const ExitCode code =
        exitCodeOf(photographs, [](const CameraPhoto& photo) { return photo.problem.empty(); });
    const bool hasAllMasks = std::ranges::all_of(
        photographs, [](const CameraPhoto& photo) { return photo.maskError.empty(); });
    return code == ExitCode::done && !hasAllMasks ? ExitCode::someFailed : code;
}

}  // namespace threefold
