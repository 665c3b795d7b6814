#include "engine/sample/posed_photos/pose.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

#include "engine/error.h"

namespace threefold {
namespace {

double largest(const glm::dmat3& matrix) {
    double most = 0;
    for (int column = 0; column < 3; ++column)
        for (int row = 0; row < 3; ++row) most = std::max(most, std::abs(matrix[column][row]));
    return most;
}

/// Polar factor by Newton's iteration, which doubles the correct digits with each step here.
glm::dmat3 nearestRotation(glm::dmat3 matrix) {
    constexpr double kExact = 1e-15;
    constexpr int kMostSteps = 8;
    for (int i = 0; i < kMostSteps; ++i) {
        const glm::dmat3 next = 0.5 * (matrix + glm::transpose(glm::inverse(matrix)));
        const double change = largest(next - matrix);
        matrix = next;
        if (change < kExact) break;
    }
    return matrix;
}

}  // namespace

Camera cameraOfMatrix(const PoseMatrix& matrix, CameraAxes axes, MatrixConvention convention,
                      const std::string& subject, const std::string& place) {
    const auto refuse = [&](std::string problem, std::string remedy) {
        throw InputError({subject, place, std::move(problem), std::move(remedy)});
    };
    for (const auto& row : matrix)
        for (const double value : row)
            if (!(std::abs(value) <= kFarthest))
                refuse(fmt::format("holds {:g}, expected at most {:g}", value, kFarthest),
                       "Correct it, or use larger units.");
    const auto& last = matrix[3];
    const double lastOff =
        std::max({std::abs(last[0]), std::abs(last[1]), std::abs(last[2]), std::abs(last[3] - 1)});
    constexpr double kLastRow = 1e-6;
    if (lastOff > kLastRow)
        refuse(fmt::format("the last row is {:g} {:g} {:g} {:g}, expected 0 0 0 1", last[0],
                           last[1], last[2], last[3]),
               "Write the matrix row by row, the translation in its last column.");

    glm::dmat3 turn(1.0);
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
            turn[column][row] =
                matrix[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
    const glm::dvec3 shift(matrix[0][3], matrix[1][3], matrix[2][3]);

    const double off = largest(glm::transpose(turn) * turn - glm::dmat3(1.0));
    const double volume = glm::determinant(turn);
    if (off > kRotationTolerance) {
        const double scale = std::cbrt(std::abs(volume));
        const bool scaled = scale > 0 && largest(glm::transpose(turn) * turn / (scale * scale) -
                                                 glm::dmat3(1.0)) <= kRotationTolerance;
        if (scaled)
            refuse(fmt::format("the 3×3 part is a rotation times {:g}", scale),
                   "Divide the 3×3 part by this scale; the translation keeps its units.");
        refuse(
            fmt::format("the 3×3 part is not a rotation: RᵀR differs from the identity by {:.3g}, "
                        "allowed is {:g}",
                        off, kRotationTolerance),
            "Write the camera's rotation without scale or shear.");
    }
    if (volume < 0)
        refuse(fmt::format("the 3×3 part mirrors: its determinant is {:.3f}, expected 1", volume),
               "Turn the sign of one axis back; between OpenCV and OpenGL two axes change.");
    turn = nearestRotation(turn);

    Camera camera;
    const bool toCamera = convention == MatrixConvention::worldToCamera;
    camera.rotation = toCamera ? turn : glm::transpose(turn);
    camera.origin = toCamera ? -(glm::transpose(turn) * shift) : shift;
    if (axes == CameraAxes::opencv) {
        const glm::dmat3 flip(glm::dvec3(1, 0, 0), glm::dvec3(0, -1, 0), glm::dvec3(0, 0, -1));
        camera.rotation = flip * camera.rotation;
    }
    return camera;
}

}  // namespace threefold
