#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/board/markers.h"
#include "engine/board/sheet_layout.h"
#include "engine/sample/posed_photos/camera_file.h"

namespace threefold::board {

/// Markers detected in one photograph.
struct MarkedPhoto {
    ImageSize size;                         ///< size of the upright picture
    std::optional<double> focalLength35mm;  ///< EXIF focal length, 35 mm equivalent
    std::vector<Marker> markers = {};       ///< markers on the printed board and elsewhere
};

/// Calibrated camera of a photograph, in world space.
struct CalibratedCamera {
    std::size_t photoIndex = 0;
    Pose pose;
    Lens lens;
    std::size_t markerCount = 0;   ///< markers used to find the camera's pose
    double reprojectionError = 0;  ///< RMS over the corners, pixels
};

/// Photograph without a camera.
struct LeftOutPhoto {
    std::size_t photoIndex = 0;
    std::string reason;  ///< end of a sentence that begins with the file name: "shows no marker"
};

/// Result of calibrate().
struct Calibration {
    std::vector<CalibratedCamera> cameras;
    std::vector<LeftOutPhoto> leftOut;  ///< sorted by photoIndex
    double reprojectionError = 0;       ///< RMS over all cameras, pixels
    /// Whether the printed board was seen; else the markers' poses were solved for.
    bool hasPrintedBoard = false;
    bool isUpKnown = false;  ///< whether the world's z axis points up
    /// The sheet in z = 0, if its markers' poses were solved for and lie in a plane.
    std::optional<SheetLayout> sheet = {};
};

/// Calibrates cameras, lenses and, without the printed board, the markers' poses by bundle
/// adjustment. World: the board lies in z = 0, its centre at the origin, z up, in mm. If no marker
/// of the printed board is seen, the markers that two or more photographs show are used: their
/// squares have sides of `markerSide` (mm, or any unit, above 0), and the marker seen most often
/// lies in z = 0 around the origin; z is up if all other markers lie in the same plane. `family` is
/// the family of all markers, an entry of markerFamilies(). Deterministic. Throws InputError (fewer
/// than two photographs with two or more consistent markers), Cancelled.
Calibration calibrate(const std::vector<MarkedPhoto>& photographs, const MarkerFamily& family,
                      double markerSide, const std::stop_token& cancel = {});

}  // namespace threefold::board
