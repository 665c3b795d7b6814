#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/photo_cameras/camera_search.h"
#include "engine/turntable/turntable.h"
#include "engine/views/mask.h"

namespace threefold {

/// Options of findTurntableCameras().
struct TurntableCamerasOptions : CameraSearchOptions {
    /// Whether the object turns clockwise, seen from above; nullopt: unknown.
    std::optional<bool> objectTurnsClockwise;
    std::optional<double> stepDegrees;  ///< nullopt: 360 ÷ number of photographs
    /// Focal length, mm, 35 mm equivalent; nullopt: from EXIF, or, if EXIF has none, 26 with a
    /// wider prior.
    std::optional<double> focalLength35mm;
};

/// Result of findTurntableCameras().
struct TurntableCamerasResult : CameraSearchResult {
    /// In the order in which the object turns. Each photograph has a camera, since the camera's
    /// azimuth follows from the photograph's index.
    std::vector<CameraPhoto> photos;
    turntable::TurntableSolution solution;  ///< one view for each of `photos`
    double stepDegrees = 0;
};

/// Writes cameras.json beside photographs of an object on a turntable, in units of the camera's
/// distance from the axis: cuts out missing masks by cutOutFiles(), then runs findTurntable(). To
/// the warnings of findTurntable(), adds one if photographs are equal to the byte, and one if all
/// masks are equal. Sorts photographs by name, numbers in names by value. Throws InputError (fewer
/// than three photographs; as cameraFileFor() and findTurntable() do), IoError, NotThisFormat and
/// FormatError (as readImageInfo() does), Cancelled.
TurntableCamerasResult findTurntableCameras(std::span<const std::filesystem::path> photographs,
                                            const TurntableCamerasOptions& options,
                                            const std::stop_token& cancel);

/// Finds cameras as findTurntableCameras() does, but with the masks `masks`: makes no masks, writes
/// nothing, and leaves `cameraFile` and `milliseconds` unset. `photographs`: in the order of the
/// turn; `masks`: one for each. Throws the exceptions of findTurntableCameras(), except those of
/// cameraFileFor().
TurntableCamerasResult turntableCamerasByMasks(std::vector<CameraPhoto> photographs,
                                               std::vector<std::optional<Mask>> masks,
                                               const TurntableCamerasOptions& options,
                                               const std::stop_token& cancel);

/// Writes `result.cameraFile`. `maker`: the program that the file names as its writer. Throws
/// IoError.
void writeTurntableCameras(const TurntableCamerasResult& result, const std::string& maker);

}  // namespace threefold
