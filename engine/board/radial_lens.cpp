#include "engine/board/radial_lens.h"

#include <algorithm>

#include <glm/geometric.hpp>
#include <glm/mat2x2.hpp>
#include <glm/matrix.hpp>

namespace threefold::board {
namespace {

constexpr double kNear = 1e-3;  // depth assumed for points that are nearer or behind the camera

/// Position in the plane at depth 1.
glm::dvec2 flattened(glm::dvec3 pointInCamera) {
    return glm::dvec2(pointInCamera) / std::max(pointInCamera.z, kNear);
}

/// Factor of the distortion at a squared distance from the axis, in the plane at depth 1.
double distortion(const RadialLens& lens, double square) {
    return 1 + square * (lens.k1 + square * lens.k2);
}

}  // namespace

Lens RadialLens::toLens(ImageSize size) const {
    Lens lens;
    lens.width = size.width;
    lens.height = size.height;
    lens.focalX = lens.focalY = focalLength;
    lens.principalX = principalX;
    lens.principalY = principalY;
    lens.k1 = k1;
    lens.k2 = k2;
    return lens;
}

glm::dvec2 projectRadial(const RadialLens& lens, glm::dvec3 pointInCamera) {
    const glm::dvec2 flat = flattened(pointInCamera);
    const double square = glm::dot(flat, flat);
    return flat * (lens.focalLength * distortion(lens, square)) +
           glm::dvec2(lens.principalX, lens.principalY);
}

ProjectionDerivatives projectionDerivatives(const RadialLens& lens, glm::dvec3 pointInCamera) {
    const glm::dvec2 flat = flattened(pointInCamera);
    const double square = glm::dot(flat, flat);
    const double factor = distortion(lens, square);
    const double slope = lens.k1 + 2 * square * lens.k2;
    const glm::dmat2 byFlat =
        lens.focalLength * (factor * glm::dmat2(1.0) + 2 * slope * glm::outerProduct(flat, flat));
    const double depth = std::max(pointInCamera.z, kNear);
    const glm::dvec2 byDepth = pointInCamera.z > kNear ? flat / -depth : glm::dvec2(0.0);
    const glm::dvec2 scaled = lens.focalLength * square * flat;
    return {{flat * factor, glm::dvec2(1, 0), glm::dvec2(0, 1), scaled, square * scaled},
            byFlat * glm::dmat3x2(glm::dvec2(1 / depth, 0), glm::dvec2(0, 1 / depth), byDepth)};
}

}  // namespace threefold::board
