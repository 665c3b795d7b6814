#include "engine/views/lens.h"

#include <limits>

#include <glm/geometric.hpp>

namespace threefold {
namespace {

glm::dvec2 distorted(const Lens& lens, glm::dvec2 at) {
    const double square = glm::dot(at, at);
    const double radial = 1 + square * (lens.k1 + square * (lens.k2 + square * lens.k3));
    const double both = 2 * at.x * at.y;
    return {at.x * radial + lens.p1 * both + lens.p2 * (square + 2 * at.x * at.x),
            at.y * radial + lens.p1 * (square + 2 * at.y * at.y) + lens.p2 * both};
}

/// Where r · (1 + k1 r² + k2 r⁴ + k3 r⁶) stops rising.
double turningPoint(const Lens& lens) {
    constexpr double kStep = 1e-3;
    constexpr double kEnd = 16;  // 76° off the axis: farther than any pinhole picture reaches
    if (lens.k1 == 0 && lens.k2 == 0 && lens.k3 == 0)
        return std::numeric_limits<double>::infinity();
    for (int i = 1; i * kStep < kEnd; ++i) {
        const double s = i * kStep;
        if (1 + s * (3 * lens.k1 + s * (5 * lens.k2 + s * 7 * lens.k3)) <= 0) return s - kStep;
    }
    return kEnd;
}

}  // namespace

LensProjection::LensProjection(const Lens& lens) : lens_(lens), farthest_(turningPoint(lens)) {}

std::optional<glm::dvec2> LensProjection::pixelOf(glm::dvec3 point) const {
    if (point.z >= 0) return std::nullopt;
    // Pixel rows run downward, against the camera's y axis.
    glm::dvec2 at(point.x / -point.z, point.y / point.z);
    if (glm::dot(at, at) > farthest_) return std::nullopt;
    if (lens_.distorts()) at = distorted(lens_, at);
    return glm::dvec2(lens_.focalX * at.x + lens_.centreX, lens_.focalY * at.y + lens_.centreY);
}

glm::dvec3 rayThrough(const Lens& lens, glm::dvec2 pixel) {
    const glm::dvec2 seen((pixel.x - lens.centreX) / lens.focalX,
                          (pixel.y - lens.centreY) / lens.focalY);
    glm::dvec2 at = seen;
    constexpr int kMostSteps = 50;
    constexpr double kClose = 1e-12;
    for (int i = 0; i < kMostSteps && lens.distorts(); ++i) {
        const glm::dvec2 error = seen - distorted(lens, at);
        at += error;
        if (glm::dot(error, error) < kClose * kClose) break;
    }
    return glm::normalize(glm::dvec3(at.x, -at.y, -1));
}

}  // namespace threefold
