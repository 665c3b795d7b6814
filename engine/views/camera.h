#pragma once

#include <span>
#include <vector>

#include <glm/mat3x3.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "engine/views/rendering_metadata.h"

namespace threefold {

/// A calibrated view (METHOD.md §2). World → view: q = R (p − o); the object lies near q.z = −0.8.
/// Double precision: cameras are computed once, and the network's float32 stays free of their
/// error.
struct Camera {
    glm::dmat3 rotation{1.0};  ///< glm is column-major: rotation * v applies R; rows are X, Y, Z
    glm::dvec3 origin{0.0};    ///< o, in world space

    static Camera fromRow(const CameraRow& row);

    glm::dvec3 toView(glm::dvec3 world) const;
    glm::dvec3 toWorld(glm::dvec3 view) const;
};

/// Side of the network's square images in pixels; focal length and centre of its projection.
inline constexpr int kImageSize = 224;
inline constexpr double kFocalLength = 248.0;
inline constexpr double kImageCentre = 112.0;

/// Pixel (column w, row h) of a point in view space, in a 224×224 image, not clamped.
glm::dvec2 projectToPixel(glm::dvec3 view);

/// A point in `from`'s space, expressed in `to`'s.
glm::dvec3 betweenViews(const Camera& from, const Camera& to, glm::dvec3 point);

/// Points of `from`'s space (Camera{}: the world) in `to`'s clip space as rasterize() takes it: the
/// 224×224 projection of METHOD.md §2 fills the image, first row on top. Cuts away what is behind
/// the camera or nearer than 0.001. Depth grows with distance, without loss of precision.
std::vector<glm::vec4> toClipSpace(std::span<const glm::vec3> points, const Camera& from,
                                   const Camera& to);

}  // namespace threefold
