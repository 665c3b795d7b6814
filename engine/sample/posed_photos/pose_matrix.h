#pragma once

#include <array>
#include <string>

#include "engine/views/camera.h"
#include "engine/views/pose.h"

/// Pose matrices of camera files.
namespace threefold {

/// Direction in which a 4×4 matrix maps points.
enum class MatrixConvention { cameraToWorld, worldToCamera };

using PoseMatrix = std::array<std::array<double, 4>, 4>;  ///< row-major

/// Result of poseOfMatrix().
struct PoseOfMatrix {
    Pose pose;
    bool repaired = false;  ///< the axes were not of length 1, or not at right angles
};

/// Maximum coordinate accepted, so that squares and products stay finite.
inline constexpr double kMaxWorldCoordinate = 1e9;

/// Maximum absolute entry of RᵀR − I that counts as rounding.
inline constexpr double kMaxRoundingDeviation = 1e-3;

/// Maximum absolute entry of RᵀR − I, after the axes were normalised, up to which a matrix is
/// repaired.
inline constexpr double kMaxRepairableDeviation = 2e-2;

/// Converts a matrix to a pose in OpenGL's axes, as Threefold uses them. Replaces the 3×3 part by
/// the nearest rotation, if the part is a rotation up to rounding (`kMaxRoundingDeviation`), or can
/// be repaired (`kMaxRepairableDeviation`). Throws InputError with the value or deviation found: a
/// value that is not finite or beyond `kMaxWorldCoordinate`, a last row other than 0 0 0 1,
/// mirrored axes, no rotation. `subject` and `place` locate the matrix in errors.
PoseOfMatrix poseOfMatrix(const PoseMatrix& matrix, CameraAxes axes, MatrixConvention convention,
                          const std::string& subject, const std::string& place);

}  // namespace threefold
