#pragma once

#include <optional>

#include <glm/vec2.hpp>

/// The printed board: a ring of AprilTag markers (family tag36h11) around an empty centre where the
/// object stands. Millimetres, x to the right and y up on the sheet, origin at its centre. The
/// board fits both A4 and letter. Changing any of these values makes printed boards useless.
namespace threefold::board {

/// Width of the white border that a marker of this side needs: one bit of a tag36h11 marker.
constexpr double quietZoneWidth(double side) {
    return side / 8;
}

inline constexpr int kBoardColumns = 6;  ///< markers along the upper and lower side, with corners
inline constexpr int kBoardRows = 8;     ///< markers along the left and right side, with corners
/// Distance between the centres of neighbouring markers.
inline constexpr double kMarkerPitch = 32;
inline constexpr double kMarkerSide = 24;  ///< side of the black square
inline constexpr double kQuietZone = quietZoneWidth(kMarkerSide);
inline constexpr int kMarkerCount = 2 * (kBoardColumns + kBoardRows) - 4;
inline constexpr int kFirstMarkerId = 560;      ///< 24 consecutive ids, by rows from the upper left
inline constexpr double kScaleBarLength = 100;  ///< length of the printed scale bar at true size

/// Centre of the marker with this id; nullopt for an id that is not on the board.
inline std::optional<glm::dvec2> markerCentre(int id) {
    int index = id - kFirstMarkerId;
    if (index < 0 || index >= kMarkerCount) return std::nullopt;
    int row = 0;
    int column = index;
    if (index >= kBoardColumns) {
        index -= kBoardColumns;
        row = 1 + index / 2;
        column = index % 2 * (kBoardColumns - 1);
        if (row >= kBoardRows - 1) {
            row = kBoardRows - 1;
            column = index - 2 * (kBoardRows - 2);
        }
    }
    return glm::dvec2(kMarkerPitch * (column - (kBoardColumns - 1) / 2.0),
                      kMarkerPitch * ((kBoardRows - 1) / 2.0 - row));
}

}  // namespace threefold::board
