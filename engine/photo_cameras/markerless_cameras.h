#pragma once

#include <filesystem>
#include <span>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "engine/photo_cameras/camera_candidate.h"
#include "engine/photo_cameras/colmap_photos.h"
#include "engine/photo_cameras/turntable_photos.h"

namespace threefold {

/// Result of findMarkerlessCameras().
struct MarkerlessCamerasResult {
    /// Cameras of the method that was kept, in the unit of
    /// ColmapCamerasOptions::meanCameraDistance.
    std::variant<ColmapCamerasResult, TurntableCamerasResult> kept;
    std::vector<CameraCandidate> candidates;  ///< one for each method that found cameras
    /// Why a turntable's cameras were kept or left, one sentence with the scores; empty if they
    /// were no candidate.
    std::string choice;
};

/// Writes cameras.json beside photographs without a board, by the method that explains the outlines
/// of the photographs best: searchByColmap(), then, unless OutlineScore::explainsAll(), also
/// turntableCamerasByMasks(), if it has no warning: this checks that the photographs are in order
/// and show equal turns before a fixed camera. Cuts out missing masks (as cutOutFiles()) before.
/// Without cameras by COLMAP, or COLMAP, a turntable's are kept. Throws InputError (as
/// cameraFileFor(); as searchByColmap(), if there is no candidate), IoError, NotThisFormat and
/// FormatError (as searchByColmap()), Cancelled.
MarkerlessCamerasResult findMarkerlessCameras(std::span<const std::filesystem::path> photographs,
                                              const ColmapCamerasOptions& options,
                                              const std::stop_token& cancel);

}  // namespace threefold
