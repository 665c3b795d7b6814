#include "engine/views/lens.h"

#include <cmath>
#include <limits>

#include <glm/geometric.hpp>
#include <glm/mat2x2.hpp>

namespace threefold {
namespace {

glm::dvec2 distorted(const Lens& lens, glm::dvec2 point) {
    const double r2 = glm::dot(point, point);
    const double radial = 1 + r2 * (lens.k1 + r2 * (lens.k2 + r2 * lens.k3));
    const double xy2 = 2 * point.x * point.y;
    return {point.x * radial + lens.p1 * xy2 + lens.p2 * (r2 + 2 * point.x * point.x),
            point.y * radial + lens.p1 * (r2 + 2 * point.y * point.y) + lens.p2 * xy2};
}

constexpr double kMaxSquaredRadius = 16;  // 76° off the axis: beyond any pinhole picture

bool hasRadialDistortion(const Lens& lens) {
    return lens.k1 != 0 || lens.k2 != 0 || lens.k3 != 0;
}

/// Derivative of r · (1 + k1 r² + k2 r⁴ + k3 r⁶) with respect to r, at r² = `s`.
double radialSlope(const Lens& lens, double s) {
    return 1 + s * (3 * lens.k1 + s * (5 * lens.k2 + s * 7 * lens.k3));
}

/// Whether the radial distortion rises from the axis to the squared radius `s`. Always true without
/// radial distortion; otherwise false beyond kMaxSquaredRadius. Beyond its maximum the distortion
/// shows the same pixels a second time.
bool risesTo(const Lens& lens, double s) {
    if (!hasRadialDistortion(lens)) return true;
    if (s > kMaxSquaredRadius || !(radialSlope(lens, s) > 0)) return false;
    // The slope, a cubic of s, has its minimum at `s` or where its derivative is zero.
    const double a = 21 * lens.k3, b = 10 * lens.k2, c = 3 * lens.k1;
    const double discriminant = b * b - 4 * a * c;
    if (!(discriminant >= 0)) return true;
    const double q = -0.5 * (b + std::copysign(std::sqrt(discriminant), b));
    const auto risesAt = [&](double at) {
        return !(at > 0 && at < s) || radialSlope(lens, at) > 0;
    };
    // A root that does not exist is not finite, and passes.
    return risesAt(q / a) && risesAt(c / q);
}

/// Maximum squared radius up to which the radial distortion rises, at most kMaxSquaredRadius;
/// infinite without radial distortion.
double maxSquaredRadiusOf(const Lens& lens) {
    if (!hasRadialDistortion(lens)) return std::numeric_limits<double>::infinity();
    if (risesTo(lens, kMaxSquaredRadius)) return kMaxSquaredRadius;
    constexpr int kHalvings = 60;
    double low = 0, high = kMaxSquaredRadius;
    for (int i = 0; i < kHalvings; ++i) {
        const double middle = (low + high) / 2;
        (risesTo(lens, middle) ? low : high) = middle;
    }
    return low;
}

/// Jacobian of distorted(): derivatives with respect to x and y, as columns.
glm::dmat2 distortionSlopes(const Lens& lens, glm::dvec2 point) {
    const double r2 = glm::dot(point, point);
    const double radial = 1 + r2 * (lens.k1 + r2 * (lens.k2 + r2 * lens.k3));
    const double radialByR2 = lens.k1 + r2 * (2 * lens.k2 + r2 * 3 * lens.k3);
    const double mixed =
        2 * (point.x * point.y * radialByR2 + lens.p1 * point.x + lens.p2 * point.y);
    return {
        radial + 2 * point.x * point.x * radialByR2 + 2 * lens.p1 * point.y + 6 * lens.p2 * point.x,
        mixed, mixed,
        radial + 2 * point.y * point.y * radialByR2 + 6 * lens.p1 * point.y +
            2 * lens.p2 * point.x};
}

/// Inverts distorted() by Newton's method, starting at `point`. nullopt if the iteration does not
/// converge, or converges to a point beyond the radius up to which the radial distortion rises
/// (risesTo()).
std::optional<glm::dvec2> invertedFrom(glm::dvec2 point, const Lens& lens, glm::dvec2 observed) {
    constexpr int kMaxIterations = 30;
    constexpr int kMaxHalvings = 20;
    constexpr double kTolerance = 1e-13;
    const double tolerance = kTolerance * (1 + glm::length(observed));
    glm::dvec2 residual = observed - distorted(lens, point);
    double residualLength = glm::length(residual);
    for (int i = 0; i < kMaxIterations && !(residualLength <= tolerance); ++i) {
        const glm::dmat2 slopes = distortionSlopes(lens, point);
        const double determinant = slopes[0][0] * slopes[1][1] - slopes[1][0] * slopes[0][1];
        if (!(determinant > 0)) return std::nullopt;
        glm::dvec2 step(slopes[1][1] * residual.x - slopes[1][0] * residual.y,
                        slopes[0][0] * residual.y - slopes[0][1] * residual.x);
        step /= determinant;
        bool better = false;
        for (int halving = 0; halving < kMaxHalvings && !better; ++halving, step *= 0.5) {
            const glm::dvec2 next = point + step;
            const glm::dvec2 nextResidual = observed - distorted(lens, next);
            const double nextResidualLength = glm::length(nextResidual);
            better =
                nextResidualLength < residualLength && radialSlope(lens, glm::dot(next, next)) > 0;
            if (!better) continue;
            point = next;
            residual = nextResidual;
            residualLength = nextResidualLength;
        }
        if (!better) break;  // the point is as near as rounding allows, or none fits
    }
    constexpr double kRounding = 1e-10;
    if (!(residualLength <= kRounding * (1 + glm::length(observed)))) return std::nullopt;
    return risesTo(lens, glm::dot(point, point)) ? std::optional(point) : std::nullopt;
}

/// Point that distorted() maps to `observed`; nullopt if there is none.
std::optional<glm::dvec2> undistorted(const Lens& lens, glm::dvec2 observed) {
    const double squaredRadius = glm::dot(observed, observed);
    if (radialSlope(lens, squaredRadius) > 0)
        if (const auto point = invertedFrom(observed, lens, observed)) return point;
    // Starts from the axis, where the distortion of every lens rises.
    return invertedFrom({0, 0}, lens, observed);
}

}  // namespace

LensProjection::LensProjection(const Lens& lens)
    : lens_(lens), maxSquaredRadius_(maxSquaredRadiusOf(lens)) {}

std::optional<glm::dvec2> LensProjection::project(glm::dvec3 point) const {
    if (point.z >= 0) return std::nullopt;
    // Pixel rows run downward, against the camera's y axis.
    glm::dvec2 pinhole(point.x / -point.z, point.y / point.z);
    if (glm::dot(pinhole, pinhole) > maxSquaredRadius_) return std::nullopt;
    if (lens_.hasDistortion()) pinhole = distorted(lens_, pinhole);
    return glm::dvec2(lens_.focalX * pinhole.x + lens_.principalX,
                      lens_.focalY * pinhole.y + lens_.principalY);
}

std::optional<glm::dvec3> directionThrough(const Lens& lens, glm::dvec2 pixel) {
    const glm::dvec2 observed((pixel.x - lens.principalX) / lens.focalX,
                              (pixel.y - lens.principalY) / lens.focalY);
    const std::optional<glm::dvec2> point =
        lens.hasDistortion() ? undistorted(lens, observed) : observed;
    if (!point) return std::nullopt;
    return glm::normalize(glm::dvec3(point->x, -point->y, -1));
}

}  // namespace threefold
