#include "engine/turntable/uncovered.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include <glm/geometric.hpp>
#include <omp.h>

#include "engine/compute/parallel.h"

namespace threefold::turntable {
namespace {

/// Whether a point of the ray within `reach` of its middle lies in all outlines but its own.
bool meetsHull(const std::vector<board::OutlineView>& views, std::size_t own, glm::dvec3 middle,
               glm::dvec3 way, double reach) {
    constexpr int kSteps = 120;
    for (int k = 0; k < kSteps; ++k) {
        const glm::dvec3 point = middle + way * (reach * (2 * (k + 0.5) / kSteps - 1));
        std::size_t in = 0;
        while (in < views.size() && (in == own || views[in].isEmpty() || views[in].keeps(point)))
            ++in;
        if (in >= views.size()) return true;
    }
    return false;
}

/// With the pixels beside it.
board::Outline widened(const board::Outline& outline) {
    board::Outline wide = outline;
    const Mask& mask = outline.mask;
    for (int y = 0; y < mask.height; ++y)
        for (int x = 0; x < mask.width; ++x)
            for (int v = std::max(0, y - 1); v <= std::min(y + 1, mask.height - 1); ++v)
                for (int u = std::max(0, x - 1); u <= std::min(x + 1, mask.width - 1); ++u)
                    wide.mask.inside[static_cast<std::size_t>(v * mask.width + u)] |=
                        mask.inside[static_cast<std::size_t>(y * mask.width + x)];
    return wide;
}

}  // namespace

std::vector<double> uncoveredShares(std::span<const board::Outline> outlines,
                                    const board::ObjectBox& object) {
    constexpr double kRoom = 1.3;
    constexpr std::size_t kMostRays = 700;  // of a view
    std::vector<board::Outline> wide;
    std::ranges::transform(outlines, std::back_inserter(wide), widened);
    const std::vector<board::OutlineView> views(wide.begin(), wide.end());
    const double reach = kRoom * object.diagonal() / 2;
    std::vector<double> shares(views.size());
    parallelFor(omp_get_max_threads(), views.size(), {}, [&](std::size_t view, std::size_t) {
        const Mask& mask = outlines[view].mask;
        const auto width = static_cast<std::size_t>(mask.width);
        const auto area = static_cast<std::size_t>(std::ranges::count(mask.inside, 1));
        const std::size_t every = area / kMostRays + 1;
        std::size_t number = 0, rays = 0, missed = 0;
        for (std::size_t i = 0; i < mask.inside.size(); ++i) {
            if (mask.inside[i] == 0 || number++ % every != 0) continue;
            const glm::dvec3 origin = views[view].origin();
            const glm::dvec3 way = views[view].wayThrough(glm::dvec2(i % width, i / width) + 0.5);
            const glm::dvec3 nearest = origin + way * glm::dot(object.centre() - origin, way);
            ++rays;
            missed += meetsHull(views, view, nearest, way, reach) ? 0 : 1;
        }
        shares[view] = rays == 0 ? 0 : static_cast<double>(missed) / static_cast<double>(rays);
    });
    return shares;
}

}  // namespace threefold::turntable
