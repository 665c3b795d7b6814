#pragma once

#include <vector>

#include "engine/formats/pictures/image.h"
#include "engine/views/camera.h"

namespace threefold {

/// Fewest and most views the method runs with; the bundled weights were trained with three.
inline constexpr std::size_t kFewestViews = 2;
inline constexpr std::size_t kMostViews = 8;

/// What a backend is given: decoded images of any size, and their cameras. The first view's camera
/// space is the space of all meshes that come back.
struct NetworkInput {
    std::vector<Image> images;
    std::vector<Camera> cameras;  ///< same length as `images`
};

/// Throws InputError unless there are 2 to 8 views, as many cameras as images, no empty image, and
/// finite cameras.
void checkInput(const NetworkInput& input);

}  // namespace threefold
