#include "engine/views/lens.h"

#include <limits>

#include <glm/geometric.hpp>

namespace threefold {
namespace {

glm::dvec2 distorted(const Lens& lens, glm::dvec2 point) {
    const double r2 = glm::dot(point, point);
    const double radial = 1 + r2 * (lens.k1 + r2 * (lens.k2 + r2 * lens.k3));
    const double xy2 = 2 * point.x * point.y;
    return {point.x * radial + lens.p1 * xy2 + lens.p2 * (r2 + 2 * point.x * point.x),
            point.y * radial + lens.p1 * (r2 + 2 * point.y * point.y) + lens.p2 * xy2};
}

/// Squared radius r² at which r · (1 + k1 r² + k2 r⁴ + k3 r⁶) stops rising, at most kEnd; infinite
/// without radial distortion.
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

LensProjection::LensProjection(const Lens& lens)
    : lens_(lens), maxSquaredRadius_(turningPoint(lens)) {}

std::optional<glm::dvec2> LensProjection::pixelOf(glm::dvec3 point) const {
    if (point.z >= 0) return std::nullopt;
    // Pixel rows run downward, against the camera's y axis.
    glm::dvec2 pinhole(point.x / -point.z, point.y / point.z);
    if (glm::dot(pinhole, pinhole) > maxSquaredRadius_) return std::nullopt;
    if (lens_.distorts()) pinhole = distorted(lens_, pinhole);
    return glm::dvec2(lens_.focalX * pinhole.x + lens_.centreX,
                      lens_.focalY * pinhole.y + lens_.centreY);
}

glm::dvec3 rayThrough(const Lens& lens, glm::dvec2 pixel) {
    const glm::dvec2 observed((pixel.x - lens.centreX) / lens.focalX,
                              (pixel.y - lens.centreY) / lens.focalY);
    glm::dvec2 point = observed;
    constexpr int kMaxIterations = 50;
    constexpr double kTolerance = 1e-12;
    for (int i = 0; i < kMaxIterations && lens.distorts(); ++i) {
        const glm::dvec2 residual = observed - distorted(lens, point);
        point += residual;
        if (glm::dot(residual, residual) < kTolerance * kTolerance) break;
    }
    return glm::normalize(glm::dvec3(point.x, -point.y, -1));
}

}  // namespace threefold
