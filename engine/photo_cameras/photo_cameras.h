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

/// Progress callbacks; any may be empty. Called one at a time, from worker threads; must return
/// quickly.
struct PhotoReports {
    /// Called with each photograph's problem if no cameras are found: the function then throws
    /// instead of returning the problems in its result.
    std::function<void(const std::string& problem)> problem = {};
    /// `work`: name of the step; `done` of `count` photographs, 0 of 0 if unknown.
    std::function<void(const char* work, std::size_t done, std::size_t count)> progress = {};

    void report(const char* work, std::size_t done, std::size_t count) const {
        if (progress) progress(work, done, count);
    }
};

struct BoardOptions {
    double barMm = 100;           ///< measured length of the printed bar, mm: the printer's scale
    double otherMarkerSide = 24;  ///< side of the markers of other sheets, mm
    /// Family of the markers; null: tag36h11, or where none of these are, the one that is seen
    /// most.
    const board::MarkerFamily* family = nullptr;
    bool metres = false;     ///< writes metres instead of millimetres
    bool cutOut = true;      ///< makes masks for photographs without one
    bool overwrite = false;  ///< replaces a cameras.json of another program
    PhotoReports reports = {};
};

/// Result for one photograph.
struct BoardPhoto {
    std::filesystem::path file;
    std::size_t markers = 0;       ///< number of markers found
    double reprojectionError = 0;  ///< as BoardCamera::reprojectionError; 0 without a camera
    std::string problem;           ///< why there is no camera; empty: there is one
    std::string doubt;             ///< doubt about the mask; empty: none
    std::string maskError;         ///< why there is no mask; empty: there is one, or no camera
};

struct BoardResult {
    std::filesystem::path file;  ///< the cameras.json written
    std::vector<BoardPhoto> photos;
    board::Calibration calibration;
    const board::MarkerFamily* family = nullptr;  ///< of the markers found; never null
    std::optional<Box3d> object;  ///< in `unit`; set if two or more outlines bound it
    std::string unit;             ///< "mm" or "m"; also for `calibration`
    double milliseconds = 0;
};

/// Writes cameras.json beside photographs of an object on the board (docs/PHOTOGRAPHS.md): detects
/// markers, calibrates cameras, cuts out missing masks (as cutOutFiles()) and bounds the object by
/// the masks. Throws InputError (what camerasFileFor() and calibrate() throw, with the family that
/// was seen), IoError, Cancelled.
BoardResult calibrateByBoard(std::span<const std::filesystem::path> photographs,
                             const BoardOptions& options, const std::stop_token& cancel);

/// Number of markers in each photograph, of the family that calibrateByBoard() would take; 0 for an
/// unreadable photograph, and for all in a build without libapriltag. Throws Cancelled.
std::vector<std::size_t> markersIn(std::span<const std::filesystem::path> photographs,
                                   const std::stop_token& cancel);

struct TurntableRequest {
    std::optional<bool> clockwise;  ///< rotation of the object, seen from above
    std::optional<double> step;     ///< degrees; none: 360 ÷ number of photographs
    std::optional<double> focal35;  ///< mm, 35 mm equivalent; none: EXIF, or 26 with a wider prior
    bool overwrite = false;         ///< replaces a cameras.json of another program
    PhotoReports reports = {};
};

struct TurntableResult {
    std::filesystem::path file;                 ///< the cameras.json written
    std::vector<std::filesystem::path> photos;  ///< in the order of the turn
    std::vector<std::string> maskDoubts;        ///< one for each photograph; empty: none
    std::vector<std::string> maskErrors;        ///< why there is no mask; empty: there is one
    turntable::Turntable found;                 ///< one view for each of `photos`
    double step = 0;                            ///< degrees
    double milliseconds = 0;
};

/// Writes cameras.json beside photographs of an object on a turntable, in units of the camera's
/// distance from the axis: cuts out missing masks (as cutOutFiles()), then runs findTurntable().
/// Sorts photographs by name, numbers in names by value. Throws InputError (fewer than three, what
/// camerasFileFor() and findTurntable() throw), what readImageHead() throws, IoError, Cancelled.
TurntableResult findTurntableCameras(std::span<const std::filesystem::path> photographs,
                                     const TurntableRequest& request,
                                     const std::stop_token& cancel);

struct ColmapOptions {
    std::filesystem::path folder;  ///< empty; for COLMAP's files; the caller removes it
    double distance = 1;           ///< mean distance of the cameras from the object, any unit, > 0
    bool cutOut = true;            ///< makes masks for photographs without one
    bool overwrite = false;        ///< replaces a cameras.json of another program
    PhotoReports reports = {};
};

/// Result for one photograph.
struct RegisteredPhotograph {
    std::filesystem::path file;
    std::size_t features = 0;  ///< number of features found
    std::size_t points = 0;    ///< number of points shared with other photographs; 0: no camera
    std::string problem;       ///< why there is no camera; empty: there is one
    std::string doubt;         ///< doubt about the mask; empty: none
    std::string maskError;     ///< why there is no mask; empty: there is one, or no camera
};

struct ColmapCameras {
    std::filesystem::path file;                ///< the cameras.json written
    std::vector<RegisteredPhotograph> photos;  ///< sorted by name, numbers in names by value
    std::size_t registered = 0;                ///< photographs with a camera
    std::size_t points = 0;                    ///< points of the model
    double reprojectionError = 0;              ///< mean over the points, pixels
    std::optional<Box3d> object;               ///< in the unit of ColmapOptions::distance
    std::size_t tablePoints = 0;  ///< points of the plane that gave up; 0: level cameras did
    std::string doubt;            ///< doubt about the object; empty: none
    double milliseconds = 0;

    /// Where the upward direction is from: "the table's plane", "level cameras".
    std::string upSource() const { return tablePoints > 0 ? "the table's plane" : "level cameras"; }
};

/// Whether findColmapCameras() can run: COLMAP is installed.
bool colmapIsInstalled();

/// Writes cameras.json beside photographs of anything with texture, by COLMAP: finds the cameras,
/// turns the world upright (by the plane that the object stands on, where the points show one, else
/// as if the cameras were level), puts the object's middle over the origin and the cameras at
/// ColmapOptions::distance from it, then cuts out missing masks (as cutOutFiles()). Throws
/// InputError (COLMAP is not installed, fewer than two photographs, no camera was found, what
/// camerasFileFor() throws), what runColmap() throws, IoError, Cancelled.
ColmapCameras findColmapCameras(std::span<const std::filesystem::path> photographs,
                                const ColmapOptions& options, const std::stop_token& cancel);

// Shared by the functions above that write cameras.json.

/// Path of the cameras.json beside the photographs. Throws InputError (no photograph, photographs
/// in several folders, a symbolic link, or, without `overwrite`, a file that `maker` did not
/// write), IoError (not writable).
std::filesystem::path camerasFileFor(std::span<const std::filesystem::path> photographs,
                                     const std::string& maker, bool overwrite);

/// Masks of photographs.
struct SmallMasks {
    std::vector<std::optional<Mask>> masks;  ///< none: not cut out, or not readable
    std::vector<std::string> errors;  ///< why the photograph cannot be read; empty: it can be
};

/// Masks of the photographs, at most 640 pixels a side.
SmallMasks smallMasks(std::span<const std::filesystem::path> photographs,
                      const std::stop_token& cancel);

/// Throws InputError if the file name is not UTF-8, which JSON requires.
void requireNameInJson(const std::filesystem::path& photograph);

/// Callback for cutOutFiles() that reports progress out of `count` photographs.
std::function<void(const CutoutFile&)> cutOutProgress(const PhotoReports& reports,
                                                      std::size_t count);

/// Contents of cameras.json (docs/OWN_DATA.md) without "views"; cameraView() makes one view.
nlohmann::ordered_json camerasHead(const std::string& maker, const std::string& unit,
                                   bool upIsKnown, const std::optional<Box3d>& object);
nlohmann::ordered_json cameraView(const std::filesystem::path& photograph, const Camera& camera,
                                  const Lens& lens);

}  // namespace threefold
