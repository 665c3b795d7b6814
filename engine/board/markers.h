#pragma once

#include <array>
#include <vector>

#include <glm/vec2.hpp>

#include "engine/formats/pictures/image.h"

namespace threefold::board {

/// Detected AprilTag marker of the family tag36h11.
struct Marker {
    int id = 0;
    /// Corners of the black square: lower left, lower right, upper right, upper left as printed.
    /// Continuous pixels: the centre of the first pixel is at (0.5, 0.5).
    std::array<glm::dvec2, 4> corners = {};
};

/// Minimum width and height, in pixels, of a picture for findMarkers().
inline constexpr int kMinPictureSide = 32;

/// Detects the markers of a photograph, sorted by id; drops ids detected more than once. Edges are
/// located to a tenth of a pixel in a sharp photograph. Thread-safe; takes a quarter of a second on
/// one core for 12 megapixels. Throws InputError: a side below kMinPictureSide, or a build without
/// libapriltag.
std::vector<Marker> findMarkers(const Image& photograph);

/// The printed 8×8 bits of a marker, true for black, rows from the top. Throws InputError in a
/// build without libapriltag.
std::array<std::array<bool, 8>, 8> markerBits(int id);

}  // namespace threefold::board
