#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "engine/formats/pictures/image.h"

namespace threefold {

/// Values that are read from a picture's EXIF block.
struct Exif {
    /// Orientation of the stored pixels, 1 to 8 as in EXIF; 1: upright.
    int orientation = 1;
    /// Focal length of a lens with the same diagonal angle of view on 35 mm film (24 × 36 mm), in
    /// mm, 8 to 1200. Refers to the uncropped picture. Assumes square pixels if computed from the
    /// sensor.
    std::optional<double> focalLength35mm;
    /// Focal length below 8 or above 1200 mm (35 mm equivalent), which no common lens has: kept for
    /// messages only.
    std::optional<double> implausibleFocalLength35mm = {};

    /// Whether the upright picture has width and height exchanged. Flips come after the exchange.
    bool swapsSides() const { return orientation > 4; }
    bool flipsX() const { return orientation % 4 > 1; }
    bool flipsY() const { return (orientation - 1) % 4 > 1; }
    /// Whether the stored picture is mirrored, so that no rotation alone makes it upright.
    bool isMirrored() const { return swapsSides() == (flipsX() == flipsY()); }
};

/// Diagonal of 35 mm film (24 × 36 mm), in mm.
inline constexpr double kFilmDiagonal = 43.266615305567875;

/// Focal length in pixels of an uncropped picture, computed from its diagonal. If `focalLength35mm`
/// is unknown, assumes 26 mm, a common value of phones' main cameras.
double focalLengthPixels(ImageSize size, std::optional<double> focalLength35mm);

/// Reads an EXIF block, with or without "Exif\0\0" before it. Safe for untrusted bytes: leaves out
/// values that are damaged, out of range or missing. Never throws.
Exif readExif(std::span<const std::byte> bytes);

}  // namespace threefold
