#pragma once

#include <array>
#include <string>

#include "engine/views/camera.h"

namespace threefold {

/// The directions of a camera's own axes: OpenCV's and COLMAP's x right, y down, looking along +z;
/// OpenGL's, Blender's and NeRF's x right, y up, looking along −z.
enum class CameraAxes { opencv, opengl };

/// The direction in which a 4×4 matrix maps points.
enum class MatrixConvention { cameraToWorld, worldToCamera };

using PoseMatrix = std::array<std::array<double, 4>, 4>;  ///< by rows

/// The camera in the axes that Threefold uses (OpenGL's). A matrix that is a rotation up to
/// rounding (`kRotationTolerance`) is replaced by the nearest one. Throws InputError, saying by how
/// much: a value that is not finite or beyond `kFarthest`, a last row other than 0 0 0 1, mirrored
/// axes, a scale, a matrix that is no rotation. `subject` and `place` name it in errors.
Camera cameraOfMatrix(const PoseMatrix& matrix, CameraAxes axes, MatrixConvention convention,
                      const std::string& subject, const std::string& place);

/// Largest coordinate that is accepted, so that squares and products stay numbers.
inline constexpr double kFarthest = 1e9;

/// Largest entry of RᵀR − 1 that passes for rounding.
inline constexpr double kRotationTolerance = 1e-3;

}  // namespace threefold
