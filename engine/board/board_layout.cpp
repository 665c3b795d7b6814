#include "engine/board/board_layout.h"

namespace threefold::board {

std::optional<glm::dvec2> markerCentre(int id) {
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

}  // namespace threefold::board
