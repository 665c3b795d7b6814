#pragma once

#include <memory>
#include <optional>

#include "engine/formats/pictures/image.h"
#include "engine/views/camera.h"
#include "engine/views/mask.h"
#include "engine/views/photo_mapping.h"

namespace threefold {

/// A photograph in full resolution, and its camera in the space of a mesh. Immutable.
struct TextureView {
    Camera camera;
    std::shared_ptr<const Image> photograph;
    /// Pixels of the photograph that show the object, of the photograph's size; nullopt: all.
    std::optional<Mask> mask;
    /// From the camera's 224×224 picture to the photograph; empty: the photograph shows exactly
    /// this picture.
    PhotoMapping toPhoto = {};
};

}  // namespace threefold
