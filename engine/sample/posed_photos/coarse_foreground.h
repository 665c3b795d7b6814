#pragma once

#include <optional>

#include "engine/bounding_box.h"
#include "engine/formats/pictures/image.h"
#include "engine/views/lens.h"
#include "engine/views/mask.h"

namespace threefold {

/// Coarse mask and bounds of a photograph's object (foregroundOf()).
struct CoarseForeground {
    /// Bounding box in continuous pixels of the photograph: the left edge of the first column is at
    /// x = 0.
    Box2d box;
    /// Mask of at most 256 pixels a side. 1: pixel that contains or touches the object.
    Mask mask;

    /// Whether the object touches no border of the photograph.
    bool isWhole(const Lens& lens) const {
        return box.min.x > 0 && box.min.y > 0 && box.max.x < lens.width && box.max.y < lens.height;
    }
};

/// Computes the coarse foreground; nullopt if foregroundOf() finds no object, or if the object
/// reaches every border.
std::optional<CoarseForeground> coarseForeground(const Image& image);

}  // namespace threefold
