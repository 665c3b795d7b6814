#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "engine/board/markers.h"
#include "engine/sample/posed_photos/camera_file.h"

namespace threefold::board {

/// What a photograph shows of the board.
struct Sighting {
    ImageSize size;                    ///< of the upright picture
    std::optional<double> focal35;     ///< as Exif
    std::vector<Marker> markers = {};  ///< all that were found, of any layout
};

/// A photograph's camera in the board's world.
struct BoardCamera {
    std::size_t sighting = 0;  ///< its index
    Camera camera;             ///< axes as Threefold's: x right, y up, looking along −z
    Lens lens;
    std::size_t markers = 0;  ///< that it was measured by
    double error = 0;         ///< pixels: root mean square distance of corners from where they fall
};

struct Calibration {
    std::vector<BoardCamera> cameras;
    /// Indices of the other sightings, each with its reason, to follow the photograph's name:
    /// "shows no marker".
    std::vector<std::pair<std::size_t, std::string>> leftOut;
    double error = 0;  ///< as BoardCamera's, over all
    bool knownLayout =
        false;  ///< the printed board was seen; else the markers' poses were solved for
    bool upIsKnown = false;  ///< z is up
};

/// In pixels: Exif's focal length, or else a telephone's.
double defaultFocal(ImageSize size, std::optional<double> focal35);

/// Calibrates all sightings by bundle adjustment over the markers' corners: poses, lenses and,
/// without the printed board, the markers' poses. Cauchy loss, Gauss-Newton steps with
/// Levenberg-Marquardt damping. Photographs of one size and EXIF focal length share a lens (focal
/// length, principal point, k1, k2) under a prior: mean and standard deviation among lenses, so
/// that few views leave the lens at its mean and many measure it.
/// World: the board lies in z = 0, its middle at the origin, z up, in mm. Where no marker of ours
/// is seen, the others are measured as well: their squares have sides of `side` (mm, or any unit),
/// the one that is seen most lies in z = 0 about the origin; where all others lie in its
/// plane, z is up, else nothing is said of it. Deterministic.
///
/// Throws InputError: fewer than two photographs with two or more markers that fit together;
/// Cancelled.
Calibration calibrate(const std::vector<Sighting>& sightings, double side,
                      const std::stop_token& cancel = {});

}  // namespace threefold::board
