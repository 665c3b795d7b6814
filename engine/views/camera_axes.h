#pragma once

#include <glm/mat3x3.hpp>

namespace threefold {

/// Camera axes: `opencv` (COLMAP): x right, y down, looking along +z; `opengl` (Blender, NeRF): x
/// right, y up, looking along −z.
enum class CameraAxes { opencv, opengl };

/// Rotation between camera axes in OpenCV's and in OpenGL's convention, in either direction: half a
/// turn about x.
inline const glm::dmat3 kFlippedAxes(1, 0, 0, 0, -1, 0, 0, 0, -1);

}  // namespace threefold
