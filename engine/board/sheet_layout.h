#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/board/marker_families.h"
#include "engine/board/square_corners.h"
#include "engine/bounding_box.h"

namespace threefold::board {

/// Marker on a sheet.
struct SheetMarker {
    int id = 0;  ///< id in the sheet's family
    SquareCorners corners = {};
};

/// Layout of a flat sheet of markers, in any unit.
struct SheetLayout {
    const MarkerFamily* family = &boardFamily();
    std::vector<SheetMarker> markers;
    std::vector<SquareCorners> blackSquares;  ///< squares of a chessboard between the markers
    Box2d paperArea;                          ///< the paper, white where nothing is printed
    Box2d printedArea;                        ///< markers and squares, with their quiet zones

    double meanMarkerSide() const;
};

/// The printed board of Threefold, in millimetres.
const SheetLayout& printedBoard();

/// Makes a sheet of markers. If the markers lie in the white squares of a chessboard, as on a
/// ChArUco board, adds its black squares.
SheetLayout makeSheetLayout(const MarkerFamily& family, std::vector<SheetMarker> markers);

/// The sheet as cameras.json has it under "sheet".
nlohmann::ordered_json sheetJson(const SheetLayout& sheet);
/// Reads the sheet from the cameras.json of a folder. nullopt: there is no such file, or no valid
/// sheet in the file. Never throws.
std::optional<SheetLayout> readSheetIn(const std::filesystem::path& folder);

}  // namespace threefold::board
