#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/cutout/cutout.h"
#include "engine/photo_cameras/photo_reports.h"
#include "engine/views/foreground.h"

namespace threefold {

/// Masks of photographs.
struct SmallMasks {
    std::vector<std::optional<Mask>> masks;  ///< none: not cut out, or not readable
    std::vector<std::string> errors;  ///< why the photograph cannot be read; empty: it can be
};

/// Masks of the photographs, at most 640 pixels a side.
SmallMasks smallMasks(std::span<const std::filesystem::path> photographs,
                      const std::stop_token& cancel);

/// Callback for cutOutFiles() that reports progress out of `count` photographs.
std::function<void(const CutoutFile&)> cutOutProgress(const PhotoReports& reports,
                                                      std::size_t count);

}  // namespace threefold
