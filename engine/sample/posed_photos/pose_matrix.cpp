#include "engine/sample/posed_photos/pose_matrix.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <Eigen/SVD>
#include <fmt/core.h>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

#include "engine/error.h"

namespace threefold {
namespace {

double maxEntry(const glm::dmat3& matrix) {
    double result = 0;
    for (int column = 0; column < 3; ++column)
        for (int row = 0; row < 3; ++row) result = std::max(result, std::abs(matrix[column][row]));
    return result;
}

/// Nearest rotation: the orthogonal factor of the polar decomposition.
glm::dmat3 nearestRotation(const glm::dmat3& matrix) {
    const Eigen::Matrix3d input = Eigen::Map<const Eigen::Matrix3d>(&matrix[0].x);
    const Eigen::JacobiSVD<Eigen::Matrix3d> svd(input, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Eigen::Matrix3d rotation = svd.matrixU() * svd.matrixV().transpose();
    glm::dmat3 result(1.0);
    Eigen::Map<Eigen::Matrix3d> columns(&result[0].x);
    columns = rotation;
    return result;
}

/// Place of a matrix, for errors.
struct MatrixPlace {
    const std::string& subject;
    const std::string& place;

    [[noreturn]] void refuse(std::string problem, std::string remedy) const {
        throw InputError({subject, place, std::move(problem), std::move(remedy)});
    }
};

/// Throws InputError: a value that is too large or not finite, a last row other than 0 0 0 1.
void requireValidPoseMatrix(const PoseMatrix& matrix, const MatrixPlace& at) {
    for (const auto& row : matrix)
        for (const double value : row)
            if (!(std::abs(value) <= kMaxWorldCoordinate))
                at.refuse(
                    fmt::format("holds {:g}, expected at most {:g}", value, kMaxWorldCoordinate),
                    "Correct it, or use larger units.");
    const auto& last = matrix[3];
    const double lastRowError =
        std::max({std::abs(last[0]), std::abs(last[1]), std::abs(last[2]), std::abs(last[3] - 1)});
    constexpr double kLastRowTolerance = 1e-6;
    if (lastRowError > kLastRowTolerance)
        at.refuse(fmt::format("the last row is {:g} {:g} {:g} {:g}, expected 0 0 0 1", last[0],
                              last[1], last[2], last[3]),
                  "Write the matrix row by row, the translation in its last column.");
}

glm::dmat3 rotationPart(const PoseMatrix& matrix) {
    glm::dmat3 result(1.0);
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
            result[column][row] =
                matrix[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
    return result;
}

/// Maximum absolute entry of RᵀR − I: how far the axes are from orthonormal ones.
double orthonormalError(const glm::dmat3& axes) {
    return maxEntry(glm::transpose(axes) * axes - glm::dmat3(1.0));
}

/// Scales the camera's axes in a matrix to length 1. Undoes a scale, or unequal lengths of the
/// axes, such as those of a look-at matrix that was not normalised.
glm::dmat3 withUnitAxes(glm::dmat3 matrix, MatrixConvention convention) {
    const bool toWorld = convention == MatrixConvention::cameraToWorld;
    if (!toWorld) matrix = glm::transpose(matrix);
    for (int axis = 0; axis < 3; ++axis)
        if (const double length = glm::length(matrix[axis]); length > 0) matrix[axis] /= length;
    return toWorld ? matrix : glm::transpose(matrix);
}

/// Rotation of a matrix, and whether its axes had to be repaired.
struct ReadRotation {
    glm::dmat3 rotation;
    bool repaired = false;
};

/// Nearest rotation of a matrix, as poseOfMatrix() describes. Throws InputError: no rotation, or
/// mirrored axes.
ReadRotation readRotation(const glm::dmat3& matrix, MatrixConvention convention,
                          const MatrixPlace& at) {
    glm::dmat3 axes = matrix;
    const bool repaired = orthonormalError(matrix) > kMaxRoundingDeviation;
    if (repaired) {
        axes = withUnitAxes(matrix, convention);
        const double error = orthonormalError(axes);
        if (!(error <= kMaxRepairableDeviation))
            at.refuse(fmt::format("the 3×3 part is not a rotation: with axes of length 1, RᵀR "
                                  "differs from the identity by {:.3g}, allowed is {:g}",
                                  error, kMaxRepairableDeviation),
                      "Write the camera's rotation without scale or shear.");
    }
    if (const double determinant = glm::determinant(axes); determinant < 0)
        at.refuse(
            fmt::format("the 3×3 part mirrors: its determinant is {:.3f}, expected 1", determinant),
            "Negate one axis. (A conversion between OpenCV's and OpenGL's axes negates two: y and "
            "z.)");
    return {nearestRotation(axes), repaired};
}

}  // namespace

PoseOfMatrix poseOfMatrix(const PoseMatrix& matrix, CameraAxes axes, MatrixConvention convention,
                          const std::string& subject, const std::string& place) {
    const MatrixPlace at{subject, place};
    requireValidPoseMatrix(matrix, at);
    const glm::dmat3 original = rotationPart(matrix);
    const auto [rotation, repaired] = readRotation(original, convention, at);
    const glm::dvec3 translation(matrix[0][3], matrix[1][3], matrix[2][3]);
    PoseOfMatrix result{.pose = {}, .repaired = repaired};
    const bool toCamera = convention == MatrixConvention::worldToCamera;
    result.pose.rotation = toCamera ? rotation : glm::transpose(rotation);
    // A matrix with scaled axes scales points, so its translation is undone with the full inverse.
    result.pose.centre = !toCamera  ? translation
                         : repaired ? -(glm::inverse(original) * translation)
                                    : -(glm::transpose(rotation) * translation);
    if (axes == CameraAxes::opencv) result.pose.rotation = kFlippedAxes * result.pose.rotation;
    return result;
}

}  // namespace threefold
