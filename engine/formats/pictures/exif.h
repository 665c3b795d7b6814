#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace threefold {

/// What a camera wrote beside its pixels, as far as it is used.
struct Exif {
    /// 1 to 8, as EXIF numbers the ways in which a picture is stored; 1: upright.
    int orientation = 1;
    /// The focal length that shows as much on film of 24 × 36 mm, by the diagonals: mm, 1 to 5000.
    /// Of the picture before it was cropped.
    std::optional<double> focal35;

    /// To become upright: rows become columns, then the sides change places.
    bool swapsSides() const { return orientation > 4; }
    bool flipsX() const { return orientation % 4 > 1; }
    bool flipsY() const { return (orientation - 1) % 4 > 1; }
    /// What no turn alone makes upright.
    bool mirrors() const { return swapsSides() == (flipsX() == flipsY()); }
};

/// The diagonal of film of 24 × 36 mm, in mm.
inline constexpr double kFilmDiagonal = 43.266615305567875;

/// An EXIF block, with or without "Exif\0\0" before it. For untrusted bytes: what is damaged, out
/// of range or not there is left out; nothing is thrown.
Exif readExif(std::span<const std::byte> bytes);

/// The name of an ICC profile, unless it is sRGB's: empty then, and where none is found. Never
/// throws.
std::string profileBesideSrgb(std::span<const std::byte> icc);

}  // namespace threefold
