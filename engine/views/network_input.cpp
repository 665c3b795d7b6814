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

void requireRunnable(const std::string& subject, std::size_t views) {
    if (views < kFewestViews || views > kMostViews)
        throw InputError({subject, "", fmt::format("{} views chosen", views),
                          fmt::format("Choose {} to {} views.", kFewestViews, kMostViews)});
}

void requireEnough(const std::string& subject, std::size_t count, std::string_view things) {
    if (count < kFewestViews)
        throw InputError({subject, "",
                          fmt::format("holds {} {}{}", count, things, count == 1 ? "" : "s"),
                          fmt::format("At least {} views are needed.", kFewestViews)});
}

void checkInput(const NetworkInput& input) {
    const std::size_t views = input.images.size();
    requireRunnable("input", views);
    if (input.cameras.size() != views)
        throw InputError({"input", "",
                          fmt::format("{} images but {} cameras", views, input.cameras.size()),
                          "Give one camera for each image."});
    for (std::size_t i = 0; i < views; ++i) {
        const Image& image = input.images[i];
        const std::string place = fmt::format("view {} of {}", i + 1, views);
        if (!image.isComplete())
            throw InputError({"input", place, "the image is empty or incomplete",
                              "Give an image with at least one pixel."});
        if (!isFinite(input.cameras[i]))
            throw InputError({"input", place, "the camera has a value that is not finite",
                              "Give a distance above zero and finite angles."});
    }
}

}  // namespace threefold
