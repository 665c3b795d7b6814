#pragma once

#include <span>
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
    /// How far before the first camera, along its axis, the network counts vertices from: for an
    /// object beyond the trained distances, see aheadOf(). Results are in the camera's space.
    double ahead = 0;
};

/// NetworkInput::ahead for an object at the origin, which `first` looks at.
double aheadOf(const Camera& first);

/// Throw InputError about `subject` for a number of chosen views that the method does not run with,
/// and for a sample with fewer than kFewestViews of `things` ("image").
void requireRunnable(const std::string& subject, std::size_t views);
void requireEnough(const std::string& subject, std::size_t count, std::string_view things);

/// Throws InputError unless there are 2 to 8 complete images, each with a finite camera.
void checkInput(const NetworkInput& input);

/// METHOD.md §3: fully transparent pixels become white, bilinear resize to 224×224 with half-pixel
/// centres and no antialiasing (the fixed-point arithmetic of OpenCV's 8-bit INTER_LINEAR, so that
/// results agree to the last bit), BGR, ÷ 255.
/// Writes (224, 224, 3) floats in 0…1; `out` must have that size.
void preprocess(const Image& image, std::span<float> out);

}  // namespace threefold
