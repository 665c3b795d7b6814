#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/pictures/image.h"
#include "engine/views/camera.h"

namespace threefold {

/// Minimum and maximum number of views of the method; the bundled weights were trained with three.
inline constexpr std::size_t kMinInputViews = 2;
inline constexpr std::size_t kMaxInputViews = 8;

/// Input of a back end: decoded images of any size, and their cameras. All resulting meshes are in
/// the first view's camera space.
struct NetworkInput {
    std::vector<Image> images;
    std::vector<Camera> cameras;  ///< same length as `images`
    /// Distance along the first camera's axis from the camera to the origin of the network's
    /// vertices; not 0 for an object outside of the trained range of distances, see
    /// depthOffsetFor(). Results are in the camera's space.
    double depthOffset = 0;
};

/// NetworkInput::depthOffset for an object at the origin and a first camera that looks at the
/// origin.
double depthOffsetFor(const Camera& first);

/// Throws InputError about `subject` unless `views`, the number chosen, is within kMinInputViews to
/// kMaxInputViews.
void requireViewCount(const std::string& subject, std::size_t views);
/// Throws InputError about `subject` if its `count` of views is below kMinInputViews. `noun`: word
/// for a view in the message ("image").
void requireMinViews(const std::string& subject, std::size_t count, std::string_view noun);

/// Throws InputError unless there are kMinInputViews to kMaxInputViews complete images, each with a
/// valid camera (Camera::isValid()), and the depth offset is finite.
void requireValidInput(const NetworkInput& input);

/// Converts an image to the network's input (METHOD.md §3): fully transparent pixels become white,
/// bilinear resize to 224×224 with half-pixel centres and no antialiasing (the fixed-point
/// arithmetic of OpenCV's 8-bit INTER_LINEAR, so that results agree to the last bit), BGR, ÷ 255.
/// Writes (224, 224, 3) floats in 0…1. Throws InputError if the image is incomplete or `out` has
/// another size.
void preprocess(const Image& image, std::span<float> out);

}  // namespace threefold
