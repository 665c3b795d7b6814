#pragma once

#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "engine/views/camera.h"
#include "engine/views/mask.h"

namespace threefold {

/// Half the side of the cube around the origin in which the object lies, object units.
inline constexpr double kHullHalfSide = 0.6;

/// Projection of a point into a camera's picture; all 0 if the point is behind the camera.
struct ProjectedPoint {
    glm::vec2 position{0};         ///< 0…1 from edge to edge of the picture: column, row
    float unitsAcrossPicture = 0;  ///< the picture's side at the point's depth, in object units
    float depth = 0;               ///< along the viewing direction, in object units
};
/// Projects a point in world space.
ProjectedPoint projectToPicture(const Camera& camera, glm::dvec3 world);

/// Silhouette of one view (MaskedView) as a signed distance field in space, for hulls. Immutable,
/// thread-safe. SilhouetteQuery answers exact questions about points and rays, lens included.
class SilhouetteField {
  public:
    /// `mask`: square, with pixels inside and outside of the object. Specks are removed, and holes
    /// filled.
    SilhouetteField(const Camera& camera, Mask mask);

    const Camera& camera() const { return camera_; }
    const Mask& mask() const { return mask_; }  ///< without specks and holes

    /// Signed distance in object units to the cone of the silhouette, measured across the viewing
    /// direction; below 0 inside. kNoInformation beyond a border of the picture that the mask
    /// touches; behind the camera, the distance to the camera's centre.
    float signedDistance(glm::dvec3 world) const;
    static constexpr float kNoInformation = -10;  ///< far inside: the view excludes nothing
    /// Maximum slope of the distance, reached at a picture's corner, 33° off axis at zoom 1.
    static constexpr double kMaxSlope = 1.3;

  private:
    Camera camera_;
    Mask mask_;
    std::vector<float> distances_;  // in the mask's pixels
    bool continuesLeft_ = false;    // the object continues beyond the left border
    bool continuesRight_ = false;
    bool continuesTop_ = false;
    bool continuesBottom_ = false;
};

}  // namespace threefold
