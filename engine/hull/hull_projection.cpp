#include "engine/hull/hull_projection.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/compute/parallel.h"

namespace threefold::hull {
namespace {

/// Whether a ray comes within `margin` of the hull, by sphere tracing (Hart, 1996).
bool meetsHull(const HullField& hull, glm::dvec3 origin, glm::dvec3 direction, double margin) {
    constexpr double kMinStep = 0.004;  // object units; thinner parts may be missed
    constexpr double kRadius = 1.05;    // of a sphere around the field's cube of ±0.6
    const double nearestDepth = -glm::dot(origin, direction);
    const double halfChordSquared =
        kRadius * kRadius - glm::dot(origin, origin) + nearestDepth * nearestDepth;
    if (halfChordSquared < 0) return false;
    const double last = nearestDepth + std::sqrt(halfChordSquared);
    double depth = std::max(0.0, nearestDepth - std::sqrt(halfChordSquared));
    while (depth < last) {
        constexpr double kMaxFreeDistance = 0.1;  // object units
        // signedDistance() is exact up to maxDistance; for larger distances it returns some value
        // above maxDistance.
        const double maxDistance = margin + kMaxFreeDistance;
        const double distance =
            hull.signedDistance(origin + depth * direction, static_cast<float>(maxDistance)) -
            margin;
        if (distance <= 0) return true;
        depth += std::max(kMinStep, std::min(distance, kMaxFreeDistance) / HullField::kMaxSlope);
    }
    return false;
}

}  // namespace

Mask projectHull(const HullField& hull, const Camera& camera, int side, double margin, int threads,
                 const std::stop_token& cancel) {
    constexpr int kBlock = 8;  // pixels along the side of a block that may be skipped as a whole
    Mask mask{
        side, side,
        std::vector<std::uint8_t>(static_cast<std::size_t>(side) * static_cast<std::size_t>(side))};
    const glm::dmat3 toWorld = glm::transpose(camera.rotation);
    const double pixel = double{kInputSide} / side;
    const double focal = camera.focalLength();
    // Margin for a block's rays, as a signed distance: half the block's diagonal in object units,
    // at the farthest point of the cube, times the field's maximum slope.
    const double blockRadius = HullField::kMaxSlope * kBlock * pixel / std::sqrt(2.0) / focal *
                               (glm::length(camera.centre) + std::sqrt(3.0) * kHullHalfSide);
    const auto meets = [&](double column, double row, double within) {
        const double x = column * pixel - kPrincipalPoint;
        const double y = kPrincipalPoint - row * pixel;
        return meetsHull(hull, camera.centre,
                         toWorld * glm::normalize(glm::dvec3(x / focal, y / focal, -1)), within);
    };
    const int blocks = (side + kBlock - 1) / kBlock;
    parallelFor(threads, static_cast<std::size_t>(blocks), cancel, [&](std::size_t i, std::size_t) {
        const int top = static_cast<int>(i) * kBlock;
        for (int left = 0; left < side; left += kBlock) {
            if (!meets(left + kBlock / 2.0, top + kBlock / 2.0, margin + blockRadius)) continue;
            for (int y = top; y < std::min(side, top + kBlock); ++y)
                for (int x = left; x < std::min(side, left + kBlock); ++x)
                    mask.inside[static_cast<std::size_t>(y * side + x)] =
                        meets(x + 0.5, y + 0.5, margin) ? 1 : 0;
        }
    });
    return mask;
}

}  // namespace threefold::hull
