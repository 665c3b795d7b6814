#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/pictures/image.h"
#include "engine/views/camera.h"

namespace threefold {

/// Fewest and most views the method runs with; the bundled weights were trained with three.
inline constexpr std::size_t kFewestViews = 2;
inline constexpr std::size_t kMostViews = 8;

/// Input of a backend: decoded images of any size, and their cameras. The first view's camera
/// space is the space of all meshes that come back.
struct NetworkInput {
    std::vector<Image> images;
    std::vector<Camera> cameras;  ///< same length as `images`
};

/// Throw InputError about `subject` for a number of chosen views that the method does not run with,
/// and for a sample with fewer than kFewestViews of `things` ("image").
void requireRunnable(const std::string& subject, std::size_t views);
void requireEnough(const std::string& subject, std::size_t count, std::string_view things);

/// Throws InputError unless there are 2 to 8 views, as many cameras as images, no empty image, and
/// finite cameras.
void checkInput(const NetworkInput& input);

}  // namespace threefold
