#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/sample/posed_photos/pose_matrix.h"
#include "engine/views/lens.h"

/// Calibration and projection matrices of camera files.
namespace threefold {

using Matrix3 = std::array<std::array<double, 3>, 3>;  ///< row-major

/// Sets focal lengths and principal point from a calibration matrix. `principalPointOffset` is
/// added to the principal point: 0 if the first pixel's corner is at (0, 0), 0.5 if the first
/// pixel's centre is at (0, 0). Throws InputError if the matrix is not of the form
/// [[fx, 0, cx], [0, fy, cy], [0, 0, 1]].
void setIntrinsics(Lens& lens, const Matrix3& matrix, double principalPointOffset,
                   const std::filesystem::path& file, const std::string& place);

/// Intrinsics and pose of a projection matrix.
struct DecomposedProjection {
    Matrix3 intrinsics;        ///< calibration matrix: upper triangular, last entry 1
    PoseMatrix worldToCamera;  ///< rotation and translation, OpenCV axes
};
/// Decomposes a projection matrix of any scale and sign. Throws InputError for a matrix that is no
/// projection.
DecomposedProjection decomposeProjection(const std::array<std::array<double, 4>, 3>& matrix,
                                         const std::filesystem::path& file,
                                         const std::string& place);

/// Reads exactly `count` numbers, separated by blanks or line ends; '#' begins a comment. Throws
/// FormatError.
std::vector<double> decodeNumbers(std::span<const std::byte> bytes,
                                  const std::filesystem::path& file, std::size_t count);

}  // namespace threefold
