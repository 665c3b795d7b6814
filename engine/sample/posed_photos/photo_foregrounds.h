#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/sample/posed_photos/camera_file.h"
#include "engine/sample/posed_photos/coarse_foreground.h"

namespace threefold {

/// The object in one of a file's photographs.
struct PhotoForeground {
    std::size_t photoIndex = 0;
    CoarseForeground foreground;
};

/// Reads up to twelve evenly chosen photographs. Returns the foregrounds of those that have a mask
/// and the size for which their lens was calibrated, in order; empty if there are fewer than two.
/// Skips photographs that cannot be read; the error is reported when their view is chosen.
std::vector<PhotoForeground> foregroundsOf(std::span<const Photo> photos);

}  // namespace threefold
