#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/board/calibration.h"
#include "engine/board/object_box.h"

namespace threefold {

struct BoardOptions {
    double barMm = 100;           ///< what the printed bar measures: the printer's scale
    double otherMarkerSide = 24;  ///< side of the markers of other boards, mm
    bool metres = false;          ///< the unit of what is written: metres, not millimetres
    bool cutOut = true;           ///< masks for photographs that have none
    bool overwrite = false;       ///< a cameras.json that is not ours
};

/// One photograph's outcome.
struct BoardPhoto {
    std::filesystem::path file;
    std::size_t markers = 0;  ///< found in it
    double error = 0;         ///< as board::BoardCamera's, of one with a camera
    std::string problem;      ///< why it has none; empty: it has one
    std::string doubt;        ///< about its mask; empty: none
};

struct BoardResult {
    std::filesystem::path file;  ///< the cameras.json
    std::vector<BoardPhoto> photos;
    board::Calibration calibration;
    std::optional<board::ObjectBox> object;  ///< in `unit`, where two outlines or more tell
    std::string unit;                        ///< "mm" or "m"; of the calibration as well
    double milliseconds = 0;
};

/// The whole way from photographs of an object on the board to a cameras.json beside them
/// (docs/PHOTOGRAPHS.md): markers, cameras, masks of those that have none (beside them, as
/// cutOutFiles()), the object's place by them. Throws InputError (photographs in several folders, a
/// cameras.json of somebody else's, and what calibrate() throws), IoError, Cancelled.
BoardResult calibrateByBoard(std::span<const std::filesystem::path> photographs,
                             const BoardOptions& options, const std::stop_token& cancel);

/// How many markers each of the photographs shows, of any board of that family; 0 for one that
/// cannot be read, and for all in a build without libapriltag. Throws Cancelled.
std::vector<std::size_t> markersIn(std::span<const std::filesystem::path> photographs,
                                   const std::stop_token& cancel);

}  // namespace threefold
