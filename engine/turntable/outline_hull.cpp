#include "engine/turntable/outline_hull.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numbers>

#include <glm/geometric.hpp>

namespace threefold::turntable {

OutlineHull outlineHullOf(PosedMask view) {
    view.pose = {};
    const SilhouetteQuery silhouette(view);
    if (silhouette.isEmpty() || !silhouette.isClearOfBorder()) return {};
    OutlineHull points;
    const int width = view.mask.width;
    for (int y = 0; y < view.mask.height; ++y) {
        const auto row = view.mask.inside.begin() + std::ptrdiff_t{y} * width;
        const auto first = std::find(row, row + width, 1) - row;
        if (first == width) continue;
        const auto end =
            std::find(std::reverse_iterator(row + width), std::reverse_iterator(row), 1).base() -
            row;
        for (const auto x : {first, end - 1}) {
            const glm::dvec3 ray = silhouette.rayAt(glm::dvec2(x, y) + 0.5).direction;
            points.push_back(glm::dvec2(ray) / -ray.z);
        }
    }
    OutlineHull corners;
    // Between two directions, a circle of radius 100 pixels bulges by 0.05 pixels.
    constexpr int kDirections = 96;
    for (int k = 0; k < kDirections; ++k) {
        const double angle = 2 * std::numbers::pi * k / kDirections;
        const glm::dvec2 direction(std::cos(angle), std::sin(angle));
        const glm::dvec2 corner = std::ranges::max(
            points, {}, [&](glm::dvec2 point) { return glm::dot(point, direction); });
        if (corners.empty() || corners.back() != corner) corners.push_back(corner);
    }
    return corners;
}

std::size_t wholeOutlineCount(std::span<const OutlineHull> outlines) {
    return static_cast<std::size_t>(std::ranges::count_if(
        outlines, [](const OutlineHull& outline) { return !outline.empty(); }));
}

}  // namespace threefold::turntable
