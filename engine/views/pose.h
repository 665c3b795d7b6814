#pragma once

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

namespace threefold {

/// Position and orientation of a camera: world → camera space is q = R (p − o), with x right, y up,
/// looking along −z. The default is world space. Double precision adds no error to the network's
/// float32.
struct Pose {
    glm::dmat3 rotation{1.0};  ///< glm is column-major: rotation * v applies R; rows are X, Y, Z
    glm::dvec3 centre{0.0};    ///< centre of projection o, in world space

    glm::dvec3 toCamera(glm::dvec3 world) const;
    glm::dvec3 toWorld(glm::dvec3 pointInCamera) const;

    /// Whether all values are finite.
    bool isFinite() const;
};

/// World space, for functions that take the pose of a camera.
inline const Pose kWorldSpace{};

/// Transforms a point from the camera space of `from` to the camera space of `to`.
glm::dvec3 transformBetweenCameras(const Pose& from, const Pose& to, glm::dvec3 point);

/// Axes of a camera's space: `opencv` (COLMAP): x right, y down, looking along +z; `opengl`
/// (Blender, NeRF, Pose): x right, y up, looking along −z.
enum class CameraAxes { opencv, opengl };

/// Rotation between camera axes in OpenCV's and in OpenGL's convention, in either direction: half a
/// turn about x.
inline const glm::dmat3 kFlippedAxes(1, 0, 0, 0, -1, 0, 0, 0, -1);

}  // namespace threefold
