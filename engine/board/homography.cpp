#include "engine/board/homography.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include <Eigen/Core>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/numerics/least_squares.h"

namespace threefold::board {

std::optional<glm::dmat3> findHomography(const std::vector<glm::dvec2>& from,
                                         const std::vector<glm::dvec2>& to) {
    // Both sets of points are centred and scaled to size 1 (Hartley normalisation), since squared
    // pixel coordinates would swamp the other terms.
    const auto normaliser = [](const std::vector<glm::dvec2>& points) {
        glm::dvec2 centre(0.0);
        for (const glm::dvec2& point : points) centre += point / static_cast<double>(points.size());
        double size = 1e-12;
        for (const glm::dvec2& point : points) size = std::max(size, glm::length(point - centre));
        return glm::dmat3(1 / size, 0, 0, 0, 1 / size, 0, -centre.x / size, -centre.y / size, 1);
    };
    const glm::dmat3 fromNormaliser = normaliser(from);
    const glm::dmat3 toNormaliser = normaliser(to);
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(8, 8);
    Eigen::VectorXd rhs = Eigen::VectorXd::Zero(8);
    const auto add = [&](const std::array<double, 8>& factors, double value) {
        const Eigen::Map<const Eigen::Vector<double, 8>> row(factors.data());
        rhs += row * value;
        matrix += row * row.transpose();
    };
    for (std::size_t i = 0; i < from.size(); ++i) {
        const glm::dvec3 p = fromNormaliser * glm::dvec3(from[i], 1);
        const glm::dvec3 q = toNormaliser * glm::dvec3(to[i], 1);
        add({p.x, p.y, 1, 0, 0, 0, -q.x * p.x, -q.x * p.y}, q.x);
        add({0, 0, 0, p.x, p.y, 1, -q.y * p.x, -q.y * p.y}, q.y);
    }
    const std::optional<Eigen::VectorXd> solution = solvePositiveDefinite(matrix, rhs);
    if (!solution) return std::nullopt;
    const Eigen::VectorXd& h = *solution;
    return glm::inverse(toNormaliser) *
           glm::dmat3(h[0], h[3], h[6], h[1], h[4], h[7], h[2], h[5], 1) * fromNormaliser;
}

RigidTransform poseFromHomography(const glm::dmat3& homography, const RadialLens& lens) {
    const auto unprojected = [&](glm::dvec3 column) {
        return glm::dvec3((column.x - lens.principalX * column.z) / lens.focalLength,
                          (column.y - lens.principalY * column.z) / lens.focalLength, column.z);
    };
    glm::dvec3 x = unprojected(homography[0]);
    glm::dvec3 y = unprojected(homography[1]);
    const glm::dvec3 translation = unprojected(homography[2]);
    const double scale = (translation.z < 0 ? -1 : 1) * std::sqrt(glm::length(x) * glm::length(y));
    x = glm::normalize(x * (scale < 0 ? -1.0 : 1.0));
    y = y * (scale < 0 ? -1.0 : 1.0);
    const glm::dvec3 z = glm::normalize(glm::cross(x, y));
    return {glm::dmat3(x, glm::cross(z, x), z), translation / scale};
}

}  // namespace threefold::board
