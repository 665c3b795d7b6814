#include "engine/views/network_input.h"

#include <cmath>
#include <cstddef>

#include <fmt/core.h>

#include "engine/error.h"

namespace threefold {
namespace {

bool isFinite(const Camera& camera) {
    for (int i = 0; i < 3; ++i) {
        if (!std::isfinite(camera.origin[i])) return false;
        for (int j = 0; j < 3; ++j)
            if (!std::isfinite(camera.rotation[i][j])) return false;
    }
    return true;
}

}  // namespace

void checkInput(const NetworkInput& input) {
    const std::size_t views = input.images.size();
    if (views < kFewestViews || views > kMostViews)
        throw InputError({"input", "", fmt::format("{} views given", views),
                          fmt::format("Choose {} to {} views.", kFewestViews, kMostViews)});
    if (input.cameras.size() != views)
        throw InputError({"input", "",
                          fmt::format("{} images but {} cameras", views, input.cameras.size()),
                          "Give one camera for each image."});
    for (std::size_t i = 0; i < views; ++i) {
        const Image& image = input.images[i];
        const std::string place = fmt::format("view {} of {}", i + 1, views);
        if (image.width <= 0 || image.height <= 0 ||
            image.rgba.size() !=
                4 * static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height))
            throw InputError({"input", place, "the image is empty or incomplete",
                              "Give an image with at least one pixel."});
        if (!isFinite(input.cameras[i]))
            throw InputError({"input", place, "the camera has a value that is not finite",
                              "Give a distance above zero and finite angles."});
    }
}

}  // namespace threefold
