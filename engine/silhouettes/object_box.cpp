#include "engine/silhouettes/object_box.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include <glm/common.hpp>
#include <glm/vec2.hpp>

#include "engine/error.h"

namespace threefold {
namespace {

/// Lower bound of the object's box. Each ray through a silhouette's outline touches the object on
/// the ray's segment inside of the hull. So on each axis the object's minimum is at most the
/// segment's maximum, and its maximum at least the segment's minimum. The most extreme
/// kSpurFraction of a view's rays are ignored: they may belong to a spur of the mask.
Box3d lowerBoundBox(std::span<const SilhouetteQuery> views, const Box3d& hull,
                    const std::stop_token& cancel) {
    constexpr int kSteps = 160;
    constexpr std::size_t kMaxRaysPerView = 600, kMaxRays = 36'000;
    constexpr double kSpurFraction = 0.01;  // of a view's rays
    const std::size_t maxRays = std::min(kMaxRaysPerView, kMaxRays / views.size() + 1);
    Box3d lowerBound;
    for (const SilhouetteQuery& view : views) {
        const std::vector<glm::ivec2> outline = view.outlinePixels();
        const std::size_t stride = outline.size() / maxRays + 1;
        std::array<std::vector<double>, 3> minUpperBounds, maxLowerBounds;
        for (std::size_t i = 0; i < outline.size(); i += stride) {
            if (cancel.stop_requested()) throw Cancelled();
            const glm::dvec3 direction = view.rayAt(glm::dvec2(outline[i]) + 0.5).direction;
            const glm::dvec3 toLow = (hull.min - view.centre()) / direction;
            const glm::dvec3 toHigh = (hull.max - view.centre()) / direction;
            const glm::dvec3 entries = glm::min(toLow, toHigh);
            const glm::dvec3 exits = glm::max(toLow, toHigh);
            const double begin = std::max({entries.x, entries.y, entries.z});
            const double end = std::min({exits.x, exits.y, exits.z});
            Box3d segment;
            for (int k = 0; k < kSteps && begin < end; ++k) {
                const glm::dvec3 point =
                    view.centre() + direction * (begin + (end - begin) * (k + 0.5) / kSteps);
                if (isInAllSilhouettes(views, point)) segment.include(point);
            }
            for (int axis = 0; axis < 3 && !segment.isEmpty(); ++axis) {
                minUpperBounds[axis].push_back(segment.max[axis]);
                maxLowerBounds[axis].push_back(segment.min[axis]);
            }
        }
        const auto spurCount =
            static_cast<std::ptrdiff_t>(kSpurFraction * std::ssize(minUpperBounds[0]));
        for (int axis = 0; axis < 3 && !minUpperBounds[0].empty(); ++axis) {
            std::ranges::nth_element(minUpperBounds[axis],
                                     minUpperBounds[axis].begin() + spurCount);
            std::ranges::nth_element(maxLowerBounds[axis], maxLowerBounds[axis].begin() + spurCount,
                                     std::greater<>());
            lowerBound.min[axis] = std::min(lowerBound.min[axis], minUpperBounds[axis][spurCount]);
            lowerBound.max[axis] = std::max(lowerBound.max[axis], maxLowerBounds[axis][spurCount]);
        }
    }
    return lowerBound;
}

}  // namespace

std::optional<Box3d> objectBox(std::span<const PosedMask> silhouettes, bool standsOnGround,
                               const std::stop_token& cancel) {
    const std::vector<SilhouetteQuery> views = silhouetteQueries(silhouettes);
    if (views.size() < 2) return std::nullopt;
    std::vector<Ray> rays;
    rays.reserve(views.size());
    for (const SilhouetteQuery& view : views) rays.push_back(view.centreRay());
    const std::optional<glm::dvec3> centre = triangulate(rays);
    if (!centre) return std::nullopt;
    double radius = 0;
    for (const SilhouetteQuery& view : views) radius = std::max(radius, view.radiusAt(*centre));

    // The first pass searches a box that is large enough for the hull. The second searches the box
    // that the first has found, with smaller cells.
    constexpr int kCells = 72;
    constexpr double kMargin = 1.6;
    Box3d hull{*centre - kMargin * radius, *centre + kMargin * radius};
    for (int pass = 0; pass < 2; ++pass) {
        const glm::dvec3 margin = (hull.max - hull.min) * (pass == 0 ? 0.0 : 0.02);
        hull = {hull.min - margin, hull.max + margin};
        if (standsOnGround) hull.min.z = 0;
        hull = hullBox(views, hull, kCells, glm::dmat3(1.0), cancel);
        if (hull.isEmpty()) return std::nullopt;
    }
    if (standsOnGround) hull.min.z = 0;
    const Box3d lowerBound = lowerBoundBox(views, hull, cancel);
    if (lowerBound.isEmpty()) return std::nullopt;
    // Fraction of the way from the lower bound to the hull's box. Measured: 0.3 instead of 0 makes
    // the boxes 2 to 3 % larger.
    constexpr double kHullFraction = 0.1;
    Box3d box{glm::mix(lowerBound.min, hull.min, kHullFraction),
              glm::mix(lowerBound.max, hull.max, kHullFraction)};
    if (standsOnGround) box.min.z = 0;
    return box;
}

}  // namespace threefold
