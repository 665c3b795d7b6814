#pragma once

#include <optional>
#include <string>

#include "engine/formats/pictures/image.h"
#include "engine/views/camera.h"
#include "engine/views/mask.h"

namespace threefold {

/// One view of the object with its silhouette: the input of fits, visual hulls and depth from
/// photographs. Mask and photograph are square and cover the camera's whole 224×224 picture: pixel
/// p of that picture is pixel p · side / 224 here (METHOD.md §2). For whole photographs with their
/// lens: PosedMask.
struct MaskedView {
    int view = 0;  ///< number of the view, in messages and results
    Camera camera;
    /// nullopt: unknown foreground, or a photograph with a `problem`.
    std::optional<Mask> mask = {};
    std::string problem = {};  ///< why the photograph cannot be read; empty if it can
    Image photograph = {};     ///< needed for colours and depth; may be missing otherwise
};

}  // namespace threefold
