#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/board/sheet_layout.h"
#include "engine/photo_cameras/photo_reports.h"
#include "engine/views/mask.h"

namespace threefold {

/// Mask of one photograph, with the doubt or the error that the user is told of.
struct PhotographMask {
    std::optional<Mask> mask;  ///< nullopt: not cut out, not readable, or not read yet
    std::string doubt;         ///< CutoutFile::doubt; empty: none
    std::string error;         ///< why there is no mask; empty: there is one, or none was sought
};

/// Cuts out missing masks, as cutOutFiles(), and reports progress. The result has doubts and errors
/// of each photograph; readMasks() then adds the masks. `sheet` as CutoutOptions::sheet. Throws
/// Cancelled.
std::vector<PhotographMask> cutOutMasks(std::span<const std::filesystem::path> photographs,
                                        const board::SheetLayout* sheet,
                                        const PhotoReports& reports, const std::stop_token& cancel);

/// Reads the mask of each photograph into `masks`, at most 640 pixels a side. An earlier error
/// stays. Throws Cancelled.
void readMasks(std::span<const std::filesystem::path> photographs, std::span<PhotographMask> masks,
               const std::stop_token& cancel);

}  // namespace threefold
