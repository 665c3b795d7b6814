#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/board/sheet_layout.h"

namespace threefold {

/// Result of cutOutFiles() for one photograph.
struct CutoutFile {
    std::filesystem::path photograph;
    std::filesystem::path mask;  ///< ownMaskFile(), or the mask that existed before
    /// Whether no mask was written, since the photograph has one, transparent pixels or a white
    /// background.
    bool wasCutOutBefore = false;
    double fraction = 0;      ///< Cutout::fraction of a new mask
    double milliseconds = 0;  ///< reading, cutting out and writing
    std::string warning;      ///< Cutout::warning, with the file names
    std::string error;        ///< why there is no mask; empty: there is one, or none is needed
};

/// Mask files, keyed by the canonical path of their photograph.
using MaskFilesByPhoto = std::map<std::filesystem::path, std::filesystem::path>;

/// Masks named by camera files beside or above the photographs. Skips camera files that cannot be
/// read: reading their cameras reports the error. Throws Cancelled.
MaskFilesByPhoto masksNamedByCameras(std::span<const std::filesystem::path> photographs,
                                     const std::stop_token& cancel = {});

/// Options of cutOutFiles().
struct CutoutFilesOptions {
    bool overwrite = false;                 ///< makes masks also for photographs that have one
    MaskFilesByPhoto cameraFileMasks = {};  ///< masks in addition to those that maskFileOf() finds
    /// Sheet that the objects lie on; null: the sheet in the cameras.json beside a photograph, else
    /// the printed board.
    const board::SheetLayout* sheet = nullptr;
    /// Called after each photograph, from worker threads, one at a time, in any order.
    std::function<void(const CutoutFile&)> onDone = {};
};

/// Writes a mask for each photograph that has no mask by maskFileOf(), no mask in
/// CutoutFilesOptions::cameraFileMasks, no transparent pixels and no white background. Never writes
/// the photograph itself. An existing mask is an error if it cannot be read, has another size,
/// shows no object, or may belong to another photograph. An error ends the work on its photograph
/// only, and is stored in CutoutFile::error. Runs on all threads. The photographs in work have
/// together at most 32 megapixels for each thread; a larger photograph is worked on alone. Throws
/// Cancelled.
std::vector<CutoutFile> cutOutFiles(std::span<const std::filesystem::path> photographs,
                                    const CutoutFilesOptions& options = {},
                                    const std::stop_token& cancel = {});

}  // namespace threefold
