#pragma once

#include <optional>
#include <string>

#include "engine/formats/pictures/image.h"
#include "engine/views/camera.h"
#include "engine/views/foreground.h"

namespace threefold {

/// One view of the object, by its silhouette: the input of fits, visual hulls and depth from
/// photographs. Mask and photograph are square and cover all of the camera's 224×224 picture: pixel
/// p of that picture is pixel p · side / 224 of them (METHOD.md §2).
struct MaskedView {
    int view = 0;  ///< its number, in messages and results
    Camera camera;
    std::optional<Mask> mask = {};  ///< none: unknown foreground, or a photograph with a `problem`
    std::string problem = {};       ///< why the photograph cannot be read; empty where it can
    Image photograph = {};          ///< for colours and depth; else it may be missing
};

}  // namespace threefold
