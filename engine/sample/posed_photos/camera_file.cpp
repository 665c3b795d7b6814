#include "engine/sample/posed_photos/camera_file.h"

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

}  // namespace

Camera cameraOfMatrix(const PoseMatrix& matrix, CameraAxes axes, MatrixConvention convention,
                      const std::string& subject, const std::string& place, bool* mended) {
    const auto refuse = [&](std::string problem, std::string remedy) {
        throw InputError({subject, place, std::move(problem), std::move(remedy)});
    };
    for (const auto& row : matrix)
        for (const double value : row)
            if (!(std::abs(value) <= kMaxWorldCoordinate))
                refuse(fmt::format("holds {:g}, expected at most {:g}", value, kMaxWorldCoordinate),
                       "Correct it, or use larger units.");
    const auto& last = matrix[3];
    const double lastRowError =
        std::max({std::abs(last[0]), std::abs(last[1]), std::abs(last[2]), std::abs(last[3] - 1)});
    constexpr double kLastRowTolerance = 1e-6;
    if (lastRowError > kLastRowTolerance)
        refuse(fmt::format("the last row is {:g} {:g} {:g} {:g}, expected 0 0 0 1", last[0],
                           last[1], last[2], last[3]),
               "Write the matrix row by row, the translation in its last column.");

    glm::dmat3 rotation(1.0);
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
            rotation[column][row] =
                matrix[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
    const glm::dvec3 translation(matrix[0][3], matrix[1][3], matrix[2][3]);

    const glm::dmat3 original = rotation;
    bool normalised = false;
    double deviation = maxEntry(glm::transpose(rotation) * rotation - glm::dmat3(1.0));
    if (deviation > kRotationTolerance) {
        // A scale, or axes of unequal lengths, as of a look-at matrix that was not normalised.
        glm::dmat3 unit = rotation;
        const bool toWorld = convention == MatrixConvention::cameraToWorld;
        if (!toWorld) unit = glm::transpose(unit);
        for (int axis = 0; axis < 3; ++axis)
            if (const double length = glm::length(unit[axis]); length > 0) unit[axis] /= length;
        if (!toWorld) unit = glm::transpose(unit);
        const double remaining = maxEntry(glm::transpose(unit) * unit - glm::dmat3(1.0));
        if (remaining <= kMendedTolerance) {
            rotation = unit;
            deviation = 0;
            normalised = true;
            if (mended != nullptr) *mended = true;
        }
    }
    const double determinant = glm::determinant(rotation);
    if (deviation > kRotationTolerance) {
        refuse(
            fmt::format("the 3×3 part is not a rotation: RᵀR differs from the identity by {:.3g}, "
                        "allowed is {:g}",
                        deviation, kRotationTolerance),
            "Write the camera's rotation without scale or shear.");
    }
    if (determinant < 0)
        refuse(
            fmt::format("the 3×3 part mirrors: its determinant is {:.3f}, expected 1", determinant),
            "Turn the sign of one axis back; between OpenCV and OpenGL two axes change.");
    rotation = nearestRotation(rotation);

    Camera camera;
    const bool toCamera = convention == MatrixConvention::worldToCamera;
    camera.rotation = toCamera ? rotation : glm::transpose(rotation);
    // A matrix with scaled axes scales points, so its translation is undone with the full inverse.
    camera.centre = !toCamera    ? translation
                    : normalised ? -(glm::inverse(original) * translation)
                                 : -(glm::transpose(rotation) * translation);
    if (axes == CameraAxes::opencv) {
        const glm::dmat3 flip(glm::dvec3(1, 0, 0), glm::dvec3(0, -1, 0), glm::dvec3(0, 0, -1));
        camera.rotation = flip * camera.rotation;
    }
    return camera;
}

}  // namespace threefold
