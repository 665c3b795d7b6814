#pragma once

#include <span>
#include <vector>

#include <glm/mat3x3.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "engine/views/camera_row.h"
#include "engine/views/pose.h"
#include "engine/views/training_camera.h"

namespace threefold {

/// The network's camera of a square picture: a pose in object space and a zoom (METHOD.md §2). In
/// camera space the object lies near z = −0.8. A photograph has a Pose and a Lens instead.
struct Camera : Pose {
    /// Focal length ÷ kFocalLength: more than 1 for a distant object shown as large as the training
    /// objects. The principal point is the picture's centre.
    double zoom = 1;

    /// Camera of a row. The zoom is 1 at kMinTrainedDistance to kMaxTrainedDistance; at other
    /// distances the zoom shows an object at the origin as large as from kDefaultDistance. The
    /// camera looks at the origin, y up; the row's in-plane rotation and field of view are left to
    /// virtualCameraOfRow().
    static Camera fromRow(const CameraRow& row);

    /// Whether all values are finite and the zoom is above 0.
    bool isValid() const;

    /// `rotation` with x and y times `zoom`: projectToPixel(zoomedRotation() · (p − centre)) is the
    /// pixel of a point p in world space.
    glm::dmat3 zoomedRotation() const;

    /// Focal length in pixels of the 224×224 picture.
    double focalLength() const;

    /// Projects a point in camera space into the 224×224 picture: projectToPixel() with the zoom.
    glm::dvec2 project(glm::dvec3 pointInCamera) const;
};

/// The network's pinhole projection (METHOD.md §2): projects a point in camera space to (column w,
/// row h) of the 224×224 picture, not clamped, for zoom 1, or with x and y already multiplied by
/// the zoom. Continuous pixel coordinates: (0, 0) is the upper left corner, the first pixel's
/// centre is (0.5, 0.5).
glm::dvec2 projectToPixel(glm::dvec3 pointInCamera);

/// Distance of the near plane in toClipSpace(), object units.
inline constexpr double kNearPlane = 1e-3;

/// Transforms points from `from`'s space (Pose{}: the world) to `to`'s clip space, for
/// rasterize(). The 224×224 projection of METHOD.md §2, times `to.zoom`, fills the image, first row
/// on top. Points behind the camera or nearer than kNearPlane lie outside the clip volume. Depth
/// grows with distance, without loss of precision.
std::vector<glm::vec4> toClipSpace(std::span<const glm::vec3> points, const Pose& from,
                                   const Camera& to);

}  // namespace threefold
