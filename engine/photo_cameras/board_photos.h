#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/board/calibration.h"
#include "engine/photo_cameras/camera_search.h"

namespace threefold {

/// Options of findBoardCameras().
struct BoardCamerasOptions : CameraSearchOptions {
    /// Measured length of the printed scale bar; board::kScaleBarLength if printed at true size.
    double measuredBarMm = 100;
    /// Side of the markers of a sheet other than the printed board, mm.
    double unknownSheetMarkerSideMm = 24;
    /// Family of the markers; null: tag36h11, or if fewer than two photographs show two of its
    /// markers, the family with most markers.
    const board::MarkerFamily* family = nullptr;
    bool inMetres = false;   ///< writes metres instead of millimetres
    bool makesMasks = true;  ///< makes masks for photographs without one
};

/// Result for one photograph.
struct BoardPhoto : CameraPhoto {
    std::size_t markerCount = 0;
    double reprojectionError = 0;  ///< as CalibratedCamera::reprojectionError; 0 without a camera
};

/// Result of findBoardCameras(). `objectBox` is set if the outlines of two or more photographs
/// bound the object.
struct BoardCamerasResult : CameraSearchResult {
    std::vector<BoardPhoto> photos;
    board::Calibration calibration;               ///< in `unit`
    const board::MarkerFamily* family = nullptr;  ///< family of the detected markers; never null
};

/// Writes cameras.json beside photographs of an object on the board (docs/PHOTOGRAPHS.md): detects
/// markers, calibrates cameras, cuts out missing masks (as cutOutFiles()) and bounds the object by
/// the masks. Throws InputError (as cameraFileFor(); as calibrate(), with the detected family in
/// the message; in a build without libapriltag), IoError, Cancelled.
BoardCamerasResult findBoardCameras(std::span<const std::filesystem::path> photographs,
                                    const BoardCamerasOptions& options,
                                    const std::stop_token& cancel);

/// Number of markers in each photograph, of the family that findBoardCameras() would choose; 0 for
/// an unreadable photograph, and for all in a build without libapriltag. Throws Cancelled.
std::vector<std::size_t> markerCounts(std::span<const std::filesystem::path> photographs,
                                      const std::stop_token& cancel);

}  // namespace threefold
