#pragma once

#include <array>
#include <optional>

#include <glm/vec2.hpp>

namespace threefold::board {

/// The printed board: a ring of AprilTag markers (family tag36h11) around an empty middle where the
/// object stands. In millimetres, x to the right and y up on the sheet, the middle at (0, 0). It
/// fits A4 and letter alike. Changing any of these values makes printed boards useless.
inline constexpr int kColumns = 6;         ///< markers along the ring's upper and lower side
inline constexpr int kRows = 8;            ///< along its left and right side, corners counted
inline constexpr double kPitch = 32;       ///< from a marker's middle to the next one's
inline constexpr double kMarkerSide = 24;  ///< of the black square
inline constexpr double kQuietZone = 3;    ///< white around it, at least one bit
inline constexpr int kMarkers = 2 * (kColumns + kRows) - 4;
inline constexpr int kFirstId = 560;  ///< the ring's ids, by rows from the upper left: 24 of them
inline constexpr double kBar = 100;   ///< length of the printed scale

/// The middle of the marker with this id; none for an id that the board does not have.
std::optional<glm::dvec2> markerCentre(int id);

/// A marker's corners around its middle, in the order of Marker::corners.
inline constexpr std::array<glm::dvec2, 4> kCorners = {{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};

}  // namespace threefold::board
