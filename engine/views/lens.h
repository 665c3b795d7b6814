#pragma once

#include <optional>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "engine/formats/pictures/image.h"

namespace threefold {

/// Projection of a photograph: a pinhole with OpenCV's radial and tangential distortion. Pixels are
/// continuous: the image spans 0…width from left to right and 0…height from top to bottom, and the
/// centre of its first pixel lies at (0.5, 0.5), as in COLMAP and NeRF files.
struct Lens {
    int width = 0;
    int height = 0;
    double focalX = 0;      ///< pixels, > 0
    double focalY = 0;      ///< pixels, > 0
    double principalX = 0;  ///< principal point, pixels
    double principalY = 0;
    double k1 = 0, k2 = 0, k3 = 0;  ///< radial distortion
    double p1 = 0, p2 = 0;          ///< tangential distortion

    ImageSize size() const { return {width, height}; }
    bool hasDistortion() const { return k1 != 0 || k2 != 0 || k3 != 0 || p1 != 0 || p2 != 0; }
    /// Whether the pixel is in the picture, all its edges included.
    bool contains(glm::dvec2 pixel) const {
        return pixel.x >= 0 && pixel.y >= 0 && pixel.x <= width && pixel.y <= height;
    }
};

/// Projects points of a camera's space (x right, y up, looking along −z) into its photograph.
class LensProjection {
  public:
    explicit LensProjection(const Lens& lens);

    /// Pixel of a point; it may lie outside the photograph. nullopt for a point behind the camera;
    /// with radial distortion also for a point more than 76° off the axis, or so far off that the
    /// distortion polynomial no longer rises.
    std::optional<glm::dvec2> project(glm::dvec3 point) const;

  private:
    Lens lens_;
    /// Squared radius at focal length 1, up to which the distortion rises.
    double maxSquaredRadius_;
};

/// Direction, of length 1, of the ray through a pixel, in the camera's space: the inverse of
/// LensProjection. Inverts distortion by Newton's method, to 1e-10 of the focal length or better.
/// nullopt where the lens shows nothing, because no ray is distorted to this pixel.
std::optional<glm::dvec3> directionThrough(const Lens& lens, glm::dvec2 pixel);

}  // namespace threefold
