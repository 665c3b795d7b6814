#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/photo_cameras/camera_search.h"

namespace threefold {

/// Options of findColmapCameras().
struct ColmapCamerasOptions : CameraSearchOptions {
    std::filesystem::path scratchFolder;  ///< existing, empty; for COLMAP's files
    double meanCameraDistance = 1;  ///< mean distance of the cameras from the object, any unit, > 0
    bool makesMasks = true;         ///< makes masks for photographs without one
};

/// Result for one photograph.
struct ColmapPhoto : CameraPhoto {
    std::size_t featureCount = 0;
    std::size_t pointCount = 0;  ///< points shared with other photographs; 0: no camera
};

/// Result of findColmapCameras(). `objectBox` and the cameras are in the unit of
/// ColmapCamerasOptions::meanCameraDistance.
struct ColmapCamerasResult : CameraSearchResult {
    std::vector<ColmapPhoto> photos;  ///< sorted by name, numbers in names by value
    std::size_t registeredCount = 0;  ///< photographs with a camera
    std::size_t pointCount = 0;       ///< points of the model
    double reprojectionError = 0;     ///< mean over the points, pixels
    /// Points of the plane from which the up direction was taken; 0: taken from the cameras, which
    /// were assumed level.
    std::size_t supportPointCount = 0;
    std::string warning;  ///< about the object; empty: none

    /// Origin of the upward direction: "the table's plane", "level cameras".
    std::string upSource() const {
        return supportPointCount > 0 ? "the table's plane" : "level cameras";
    }
};

/// Whether findColmapCameras() can run: COLMAP is installed.
bool colmapIsInstalled();

/// Writes cameras.json beside photographs of anything with texture, by COLMAP: finds the cameras,
/// turns the world upright (by the plane that the object stands on, where the points show one, else
/// as if the cameras were level), puts the object's centre above the origin, its foot at z = 0, and
/// the cameras at ColmapCamerasOptions::meanCameraDistance from the object, then cuts out missing
/// masks (as cutOutFiles()). Throws InputError (COLMAP is not installed, fewer than two
/// photographs, no camera was found; as cameraFileFor()), IoError (also as runColmap()),
/// NotThisFormat and FormatError (as readImage()), Cancelled.
ColmapCamerasResult findColmapCameras(std::span<const std::filesystem::path> photographs,
                                      const ColmapCamerasOptions& options,
                                      const std::stop_token& cancel);

}  // namespace threefold
