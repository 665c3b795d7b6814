#pragma once

#include <array>
#include <vector>

#include <glm/vec2.hpp>

#include "engine/formats/pictures/image.h"

namespace threefold::board {

/// A marker of the family tag36h11 in a photograph.
struct Marker {
    int id = 0;
    /// Of its black square: lower left, lower right, upper right, upper left as printed. Continuous
    /// pixels: the middle of the photograph's first one is at (0.5, 0.5).
    std::array<glm::dvec2, 4> corners = {};
};

/// The shorter side of the smallest picture in which markers are looked for, pixels.
inline constexpr int kNarrowestPicture = 32;

/// Finds the photograph's markers, sorted by id; an id that is found more than once is left out.
/// The middle of an edge is right to a tenth of a pixel in a sharp photograph. Thread-safe; takes a
/// quarter of a second of a core for 12 megapixels. Throws InputError: fewer than kNarrowestPicture
/// a side, or a build without libapriltag.
std::vector<Marker> findMarkers(const Image& photograph);

/// The 8×8 bits of a marker, true for black, rows from the top: what is printed. Throws InputError
/// as findMarkers().
std::array<std::array<bool, 8>, 8> markerBits(int id);

}  // namespace threefold::board
