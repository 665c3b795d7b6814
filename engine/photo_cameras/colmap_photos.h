#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/photo_cameras/camera_candidate.h"
#include "engine/photo_cameras/camera_search.h"
#include "engine/structure_from_motion/sparse_model.h"
#include "engine/structure_from_motion/sparse_object.h"
#include "engine/views/mask.h"

namespace threefold {

/// Options of findMarkerlessCameras(), and of its search by COLMAP.
struct ColmapCamerasOptions : CameraSearchOptions {
    std::filesystem::path scratchFolder;  ///< an existing, empty folder for COLMAP's files
    double meanCameraDistance = 1;  ///< mean distance of the cameras from the object, any unit, > 0
    bool makesMasks = true;         ///< makes masks for photographs without one
};

/// Result for one photograph.
struct ColmapPhoto : CameraPhoto {
    std::size_t featureCount = 0;
    std::size_t pointCount = 0;  ///< points shared with other photographs; 0: no camera
};

/// Cameras found by COLMAP. `objectBox` and the cameras are in the unit of
/// ColmapCamerasOptions::meanCameraDistance.
struct ColmapCamerasResult : CameraSearchResult {
    std::vector<ColmapPhoto> photos;  ///< sorted by name, numbers in names by value
    std::size_t registeredCount = 0;  ///< photographs with a camera
    std::size_t pointCount = 0;       ///< points of the model
    double reprojectionError = 0;     ///< mean over the points, pixels
    /// Number of points on the plane whose normal is the up direction; 0: there is no such plane,
    /// and the up direction follows from the cameras, which are assumed to be level.
    std::size_t supportPointCount = 0;
    std::string warning;  ///< why `objectBox` may be wrong; empty: no warning
    /// Cameras and points in an upright world; RegisteredImage::photograph: index in `photos`.
    structure_from_motion::SparseModel model;
    /// The object according to the points; nullopt: too few points show the object.
    std::optional<structure_from_motion::SparseObject> sparseObject;

    /// Origin of the upward direction: "the table's plane", "level cameras".
    std::string upSource() const {
        return supportPointCount > 0 ? "the table's plane" : "level cameras";
    }
};

/// Whether searchByColmap() can run: COLMAP is installed.
bool colmapIsInstalled();

/// Finds the cameras of photographs by COLMAP. Then turns the world upright (by the plane that the
/// object stands on, or, if the points show none, as if the cameras were level), moves the object's
/// centre above the origin and its foot to z = 0, and scales the cameras' mean distance from the
/// object to ColmapCamerasOptions::meanCameraDistance. Makes no masks, writes nothing, and leaves
/// `objectBox` and `milliseconds` unset. `file`: the cameras.json that the result names.
/// `featureMasks`: empty, or one for each photograph in the order of names: the region in which
/// COLMAP looks for features; nullopt: the whole photograph. Throws InputError (COLMAP is not
/// installed, fewer than two photographs, no camera was found), IoError (as runColmap() does),
/// NotThisFormat and FormatError (as readImage() does), Cancelled.
ColmapCamerasResult searchByColmap(const std::filesystem::path& file,
                                   std::span<const std::filesystem::path> photographs,
                                   std::span<const std::optional<Mask>> featureMasks,
                                   const ColmapCamerasOptions& options,
                                   const std::stop_token& cancel);

/// Sets `objectBox` to the object's box by the masks, or to the box by COLMAP's points if there are
/// fewer than three masks or the boxes contradict each other; a contradiction also sets `warning`.
/// `masks`: one for each of `result.photos`; nullopt: none. Throws Cancelled.
void boundObject(ColmapCamerasResult& result, std::span<const std::optional<Mask>> masks,
                 const std::stop_token& cancel);

/// Writes `result.cameraFile`. `maker`: the program that the file names as its writer; `method`:
/// colmap or colmapInMasks; `meanCameraDistance`: as in ColmapCamerasOptions. Throws IoError.
void writeColmapCameras(const ColmapCamerasResult& result, const std::string& maker,
                        CameraMethod method, double meanCameraDistance);

}  // namespace threefold
