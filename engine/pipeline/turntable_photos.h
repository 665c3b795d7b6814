#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/turntable/turntable.h"

namespace threefold {

struct TurntableRequest {
    std::optional<bool> clockwise;  ///< of the object, seen from above
    std::optional<double> step;     ///< degrees; none: 360 by the number of photographs
    std::optional<double> focal35;  ///< none: as Exif, or 26 mm and held less tightly
    bool overwrite = false;         ///< a cameras.json that is not ours
};

struct TurntableResult {
    std::filesystem::path file;                 ///< the cameras.json
    std::vector<std::filesystem::path> photos;  ///< in their order
    std::vector<std::string> maskDoubts;        ///< of each photograph; empty: none
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

}  // namespace threefold
