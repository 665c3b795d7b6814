#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/board/sheet_layout.h"
#include "engine/photo_cameras/photo_reports.h"
#include "engine/views/mask.h"

namespace threefold {

/// Cuts out missing masks, as cutOutFiles(), and reports progress. Sets each photograph's maskDoubt
/// and maskError. `sheet` as CutoutOptions::sheet. Throws Cancelled.
void cutOutMasks(std::span<CameraPhotograph* const> photographs, const board::SheetLayout* sheet,
                 const PhotoReports& reports, const std::stop_token& cancel);

/// Reads the mask of each photograph, at most 640 pixels a side; nullopt: not cut out or not
/// readable. Sets the maskError of an unreadable photograph that has none yet. Throws Cancelled.
std::vector<std::optional<Mask>> readMasks(std::span<CameraPhotograph* const> photographs,
                                           const std::stop_token& cancel);

}  // namespace threefold
