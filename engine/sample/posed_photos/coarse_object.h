#pragma once

#include <optional>

#include "engine/formats/pictures/image.h"
#include "engine/views/lens.h"
#include "engine/views/mask.h"

namespace threefold {

/// Coarse mask and bounds of a photograph's object (foregroundOf()).
struct CoarseObject {
    /// Bounding rectangle in continuous pixels of the photograph: the left edge of the first column
    /// is 0.
    double left = 0, top = 0, right = 0, bottom = 0;
    /// Mask of at most 256 pixels a side. 1: pixel that contains or touches the object.
    Mask mask;

    /// Whether the object touches no border of the photograph.
    bool isWhole(const Lens& lens) const {
        return left > 0 && top > 0 && right < lens.width && bottom < lens.height;
    }
};

/// Computes the coarse object; nullopt if the object is empty or reaches every border.
std::optional<CoarseObject> coarseObject(const Image& image);

}  // namespace threefold
