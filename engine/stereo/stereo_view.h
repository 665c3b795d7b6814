#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

#include "engine/formats/pictures/image.h"
#include "engine/views/camera.h"
#include "engine/views/mask.h"

namespace threefold::stereo {

/// Camera::project() as a matrix, with its inverse, for a picture of any side. Pixel coordinates
/// differ from those of Camera and Lens: the first pixel's centre is at (0, 0). The depth of a
/// point is its distance along the viewing direction, in object units. Immutable.
struct StereoProjection {
    /// Projection of the camera's 224×224 picture, scaled to `side` pixels.
    StereoProjection(const Camera& camera, int side);

    /// Projects a point: column and row in pixels, and depth.
    glm::dvec3 project(glm::dvec3 world) const;
    /// The point at a depth along a pixel's ray.
    glm::dvec3 pointAt(double column, double row, double depth) const {
        return centre + depth * (inverseMatrix * glm::dvec3(column, row, 1));
    }

    glm::dmat3 matrix;  ///< homogeneous pixel = matrix · world + translation
    glm::dvec3 translation;
    glm::dmat3 inverseMatrix;  ///< inverse of `matrix`
    glm::dvec3 centre;         ///< camera centre, world space
    double focalLength;        ///< in pixels
};

/// Pixel of a view that a point is projected to.
struct ViewPixel {
    int column;
    int row;
    double depth;  ///< depth of the point along the viewing direction, object units
};

/// A photograph for stereo matching: grey, square, downscaled.
struct StereoView {
    /// A view without pixels: `grey`, `mask` and `dilatedMask` are empty.
    StereoView(const Camera& viewCamera, int pixels)
        : side(pixels), camera(viewCamera), projection(viewCamera, pixels) {}

    int side;  ///< in pixels
    Camera camera;
    StereoProjection projection;            ///< projection of `camera` for `side` pixels
    std::vector<float> grey;                ///< 0…255, side · side
    std::vector<std::uint8_t> mask;         ///< 1 in the object
    std::vector<std::uint8_t> dilatedMask;  ///< `mask`, wider by one pixel
    int view = 0;                           ///< MaskedView::view

    std::size_t pixelIndex(int column, int row) const {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(side) +
               static_cast<std::size_t>(column);
    }
    std::size_t pixelIndex(const ViewPixel& at) const { return pixelIndex(at.column, at.row); }

    /// Projects a point; nullopt: behind the camera, or outside of the picture.
    std::optional<ViewPixel> pixelAt(const glm::dvec3& point) const {
        const glm::dvec3 projected = projection.project(point);
        // Checks before rounding, which is undefined beyond an int's range.
        if (!(projected.z > 0 && projected.x > -0.5 && projected.y > -0.5 &&
              projected.x < side - 0.5 && projected.y < side - 0.5))
            return std::nullopt;
        return ViewPixel{static_cast<int>(std::lrint(projected.x)),
                         static_cast<int>(std::lrint(projected.y)), projected.z};
    }
};

/// Downscales a photograph to `side` pixels a side by area means. `photograph` and `mask` are
/// square and show the camera's whole 224×224 picture.
StereoView stereoView(const Camera& camera, const Image& photograph, const Mask& mask, int side);

/// Halves a view's side; each pixel is the mean of four. `view.side` is even.
StereoView halved(const StereoView& view);

}  // namespace threefold::stereo
