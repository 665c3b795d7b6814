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
    /// Cameras of `method`, in the unit of ColmapCamerasOptions::meanCameraDistance.
    std::variant<ColmapCamerasResult, TurntableCamerasResult> kept;
    CameraMethod method = CameraMethod::colmap;  ///< method of the best candidate
    std::vector<CameraCandidate> candidates;     ///< one for each method that found cameras
    /// Why the cameras were kept, one sentence with the scores; empty if CameraMethod::colmap was
    /// the only candidate.
    std::string choice;
};

/// Finds the cameras of photographs without a board by several methods, and writes the cameras that
/// explain the photographs' outlines best into cameras.json beside the photographs. Each method is
/// tried only if the cameras found before do not explain the outlines well enough:
/// 1. searchByColmap() with whole photographs. Then, if ColmapCamerasOptions::makesMasks,
///    cutOutFiles() cuts out missing masks.
/// 2. turntableCamerasByMasks(), unless OutlineScore::explainsAll(). Its cameras count only without
///    a warning, so only if the photographs are in order and show equal turns in front of a fixed
///    camera.
/// 3. searchByColmap() with features in the masks, unless OutlineScore::explainsMost().
///
/// Throws InputError (as cameraFileFor() does; as the first searchByColmap() does, if there is no
/// candidate), IoError, NotThisFormat and FormatError (as the first searchByColmap() does),
/// Cancelled.
MarkerlessCamerasResult findMarkerlessCameras(std::span<const std::filesystem::path> photographs,
                                              const ColmapCamerasOptions& options,
                                              const std::stop_token& cancel);

}  // namespace threefold
