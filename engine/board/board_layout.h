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
inline std::optional<glm::dvec2> markerCentre(int id) {
    int index = id - kFirstId;
    if (index < 0 || index >= kMarkers) return std::nullopt;
    int row = 0;
    int column = index;
    if (index >= kColumns) {
        index -= kColumns;
        row = 1 + index / 2;
        column = index % 2 * (kColumns - 1);
        if (row >= kRows - 1) {
            row = kRows - 1;
            column = index - 2 * (kRows - 2);
        }
    }
    return glm::dvec2(kPitch * (column - (kColumns - 1) / 2.0), kPitch * ((kRows - 1) / 2.0 - row));
}

/// A marker's corners around its middle, in the order of Marker::corners.
inline constexpr std::array<glm::dvec2, 4> kCorners = {{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};

}  // namespace threefold::board
