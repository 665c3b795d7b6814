#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/board/calibration.h"
#include "engine/cutout/cutout.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/silhouettes/object_box.h"
#include "engine/turntable/turntable.h"
#include "engine/views/foreground.h"

namespace threefold {

/// Callbacks of the work on photographs; any may be empty. Called one at a time, from the threads
/// that work; must return quickly.
struct PhotoReports {
    /// Called with each photograph's problem where no cameras are found: the call then throws, and
    /// returns no result with the problems.
    std::function<void(const std::string& problem)> problem = {};
    /// `work` in words; `done` of `count` photographs, 0 of 0 where that cannot be told.
    std::function<void(const char* work, std::size_t done, std::size_t count)> progress = {};

    void tell(const char* work, std::size_t done, std::size_t count) const {
        if (progress) progress(work, done, count);
    }
};

struct BoardOptions {
    double barMm = 100;           ///< what the printed bar measures: the printer's scale
    double otherMarkerSide = 24;  ///< side of the markers of other boards, mm
    bool metres = false;          ///< the unit of what is written: metres, not millimetres
    bool cutOut = true;           ///< masks for photographs that have none
    bool overwrite = false;       ///< a cameras.json that is not ours
    PhotoReports reports = {};
};

/// One photograph's outcome.
struct BoardPhoto {
    std::filesystem::path file;
    std::size_t markers = 0;  ///< found in it
    double error = 0;         ///< as board::BoardCamera's, of one with a camera
    std::string problem;      ///< why it has none; empty: it has one
    std::string doubt;        ///< about its mask; empty: none
    std::string maskError;    ///< why it has no mask; empty: it has one, or no camera
};

struct BoardResult {
    std::filesystem::path file;  ///< the cameras.json
    std::vector<BoardPhoto> photos;
    board::Calibration calibration;
    std::optional<ObjectBox> object;  ///< in `unit`, where two outlines or more tell
    std::string unit;                 ///< "mm" or "m"; of the calibration as well
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

struct TurntableRequest {
    std::optional<bool> clockwise;  ///< of the object, seen from above
    std::optional<double> step;     ///< degrees; none: 360 by the number of photographs
    std::optional<double> focal35;  ///< none: as EXIF, or 26 mm under a wider prior
    bool overwrite = false;         ///< a cameras.json that is not ours
    PhotoReports reports = {};
};

struct TurntableResult {
    std::filesystem::path file;                 ///< the cameras.json
    std::vector<std::filesystem::path> photos;  ///< in their order
    std::vector<std::string> maskDoubts;        ///< of each photograph; empty: none
    std::vector<std::string> maskErrors;        ///< why it has no mask; empty: it has one
    turntable::Turntable found;                 ///< of these photographs
    double step = 0;                            ///< degrees
    double milliseconds = 0;
};

/// The way from photographs of an object on a turntable to a cameras.json beside them, whose unit
/// is the camera's distance from the axis: masks of those that have none (as cutOutFiles()), then
/// findTurntable(). Photographs are taken by their names, numbers in them by value. Throws
/// InputError (fewer than three, what camerasFileFor() and findTurntable() throw), what
/// readImageHead() throws, IoError, Cancelled.
TurntableResult findTurntableCameras(std::span<const std::filesystem::path> photographs,
                                     const TurntableRequest& request,
                                     const std::stop_token& cancel);

// Shared by calibrateByBoard() and findTurntableCameras().

/// The cameras.json to write beside the photographs. Throws InputError (none, in several folders, a
/// symbolic link, one is there that `maker` did not write, unless `overwrite`), IoError (it cannot
/// be written).
std::filesystem::path camerasFileFor(std::span<const std::filesystem::path> photographs,
                                     const std::string& maker, bool overwrite);

/// The photographs' masks, of at most 640 pixels a side; none for one that is not cut out, or
/// cannot be read: that is told where the view is used.
std::vector<std::optional<Mask>> smallMasks(std::span<const std::filesystem::path> photographs,
                                            const std::stop_token& cancel);

/// Throws InputError where the name is not UTF-8, as JSON has to be.
void requireNameInJson(const std::filesystem::path& photograph);

/// Tells the progress of cutOutFiles() with so many photographs.
std::function<void(const CutoutFile&)> cutOutProgress(const PhotoReports& reports,
                                                      std::size_t count);

/// cameras.json (docs/OWN_DATA.md) without its "views", and one of these.
nlohmann::ordered_json camerasHead(const std::string& maker, const std::string& unit,
                                   bool upIsKnown, const std::optional<ObjectBox>& object);
nlohmann::ordered_json cameraView(const std::filesystem::path& photograph, const Camera& camera,
                                  const Lens& lens);

}  // namespace threefold
