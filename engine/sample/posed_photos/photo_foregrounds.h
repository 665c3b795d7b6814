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

/// Reads up to twelve evenly chosen photographs. Returns the object in those that have a mask and
/// the size of their lens, in order; nothing unless there are two. Skips photographs that cannot
/// be read, which is reported where their views are chosen.
std::vector<PhotoForeground> foregroundsOf(std::span<const Photo> photos);

}  // namespace threefold
