#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "engine/board/marker_families.h"
#include "engine/board/square_corners.h"
#include "engine/formats/pictures/image.h"

namespace threefold::board {

/// Detected marker of one family.
struct Marker {
    int id = 0;
    /// Corners of the black square, continuous pixels: the centre of the first pixel is at
    /// (0.5, 0.5).
    SquareCorners corners = {};
};

/// Whether this build has libapriltag, which detects markers.
bool canDetectMarkers();

/// Minimum width and height, in pixels, of a picture for detectMarkers().
inline constexpr int kMinMarkerPictureSide = 32;

/// Detects the markers of a photograph, sorted by id; drops ids detected more than once, and
/// markers that look the same after a turn. Edges are located to a tenth of a pixel in a sharp
/// photograph. Thread-safe; takes a quarter of a second on one core for 12 megapixels. Throws
/// InputError: a side below kMinMarkerPictureSide, or a build without libapriltag. `subject` names
/// the photograph in errors.
std::vector<Marker> detectMarkers(const Image& photograph,
                                  const MarkerFamily& family = boardFamily(),
                                  const std::filesystem::path& subject = "photograph");

/// Detects the markers of several families: one result for each, from one search for squares.
std::vector<std::vector<Marker>> detectMarkers(const Image& photograph,
                                               std::span<const MarkerFamily* const> families,
                                               const std::filesystem::path& subject = "photograph");

/// Number of bits along a side of a marker of `family`, border included.
constexpr std::size_t printedBitsPerSide(const MarkerFamily& family) {
    return static_cast<std::size_t>(family.bitsPerSide) + 2;
}

/// Printed bits of a marker, true for black: printedBitsPerSide() rows from the top.
using MarkerBits = std::vector<std::vector<bool>>;

/// Printed bits of markers of one family, one result for each of `ids`. Throws InputError in a
/// build without libapriltag.
std::vector<MarkerBits> markerBits(std::span<const int> ids,
                                   const MarkerFamily& family = boardFamily());

}  // namespace threefold::board
