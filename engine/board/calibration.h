#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "engine/board/markers.h"
#include "engine/board/sheet_layout.h"
#include "engine/sample/posed_photos/camera_file.h"

namespace threefold::board {

/// Markers detected in one photograph.
struct PhotographMarkers {
    ImageSize size;                         ///< size of the upright picture
    std::optional<double> focalLength35mm;  ///< EXIF focal length, 35 mm equivalent
    std::vector<Marker> markers = {};       ///< on the printed board or not
};

/// Calibrated camera of a photograph, in world space.
struct BoardCamera {
    std::size_t photographIndex = 0;
    Camera camera;  ///< x right, y up, looking along −z
    Lens lens;
    std::size_t markerCount = 0;   ///< markers that its pose was found from
    double reprojectionError = 0;  ///< RMS over the corners, pixels
};

struct Calibration {
    std::vector<BoardCamera> cameras;
    /// Indices of the photographs without a camera, each with the reason as the end of a sentence
    /// that begins with the file name: "shows no marker".
    std::vector<std::pair<std::size_t, std::string>> leftOut;
    double reprojectionError = 0;  ///< RMS over all cameras, pixels
    bool knownLayout = false;  ///< the printed board was seen; else marker poses were solved for
    bool upIsKnown = false;    ///< whether world z is up
    /// The sheet in z = 0, if its markers' poses were solved for and lie in a plane.
    std::optional<SheetLayout> sheet = {};
};

/// Focal length in pixels, from EXIF, or that of a typical phone.
double defaultFocal(ImageSize size, std::optional<double> focalLength35mm);

/// Calibrates the cameras by bundle adjustment over the markers' corners: poses, lenses and,
/// without the printed board, the markers' poses. Cauchy loss, Gauss-Newton steps with
/// Levenberg-Marquardt damping. Photographs of one size and EXIF focal length share a lens (focal
/// length, principal point, k1, k2) with a Gaussian prior over typical lenses, which dominates
/// when there are few views. World: the board lies in z = 0, its centre at the origin, z up, in mm.
/// If no marker of the printed board is seen, the poses of the other markers that two photographs
/// show are solved for: their squares have sides of `side` (mm, or any unit), and the marker seen
/// most often lies in z = 0 around the origin. Then z is up if all other markers lie in the same
/// plane, else up is unknown. A marker whose reprojection error stays large was a false detection
/// in some texture and does not count in that photograph. `family`, that of all markers, is an
/// entry of the table of families and outlives the result; `side` is above 0. Deterministic.
///
/// Throws InputError: fewer than two photographs with two or more consistent markers; Cancelled.
Calibration calibrate(const std::vector<PhotographMarkers>& photographs, const MarkerFamily& family,
                      double side, const std::stop_token& cancel = {});

}  // namespace threefold::board
