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

/// The box that the object fills at least: each ray through the rim of a silhouette touches the
/// object within the hull, at the latest at the far end of that stretch along each axis. A few rays
/// may belong to a spur of the mask.
ObjectBox leastBox(std::span<const SilhouetteView> views, const ObjectBox& hull,
                   const std::stop_token& cancel) {
    constexpr int kSteps = 160;
    constexpr std::size_t kMostOfView = 600, kMostOfAll = 36'000;  // rays
    constexpr double kSpurs = 0.01;                                // of a view's rays
    const std::size_t mostRays = std::min(kMostOfView, kMostOfAll / views.size() + 1);
    ObjectBox least;
    for (const SilhouetteView& view : views) {
        const std::vector<glm::ivec2> rim = view.rim();
        const std::size_t every = rim.size() / mostRays + 1;
        std::array<std::vector<double>, 3> lows, highs;
        for (std::size_t i = 0; i < rim.size(); i += every) {
            if (cancel.stop_requested()) throw Cancelled();
            const glm::dvec3 ray = view.rayAt(glm::dvec2(rim[i]) + 0.5).direction;
            const glm::dvec3 one = (hull.low - view.origin()) / ray;
            const glm::dvec3 other = (hull.high - view.origin()) / ray;
            const glm::dvec3 enters = glm::min(one, other);
            const glm::dvec3 leaves = glm::max(one, other);
            const double from = std::max({enters.x, enters.y, enters.z});
            const double to = std::min({leaves.x, leaves.y, leaves.z});
            ObjectBox met;
            for (int k = 0; k < kSteps && from < to; ++k) {
                const glm::dvec3 point =
                    view.origin() + ray * (from + (to - from) * (k + 0.5) / kSteps);
                if (keptByAll(views, point)) met.add(point);
            }
            for (int axis = 0; axis < 3 && !met.isEmpty(); ++axis) {
                lows[axis].push_back(met.high[axis]);
                highs[axis].push_back(met.low[axis]);
            }
        }
        const auto spurs = static_cast<std::ptrdiff_t>(kSpurs * std::ssize(lows[0]));
        for (int axis = 0; axis < 3 && !lows[0].empty(); ++axis) {
            std::ranges::nth_element(lows[axis], lows[axis].begin() + spurs);
            std::ranges::nth_element(highs[axis], highs[axis].begin() + spurs, std::greater<>());
            least.low[axis] = std::min(least.low[axis], lows[axis][spurs]);
            least.high[axis] = std::max(least.high[axis], highs[axis][spurs]);
        }
    }
    return least;
}

}  // namespace

std::optional<ObjectBox> objectBox(std::span<const CalibratedMask> silhouettes, bool standing,
                                   const std::stop_token& cancel) {
    const std::vector<SilhouetteView> views = silhouetteViews(silhouettes);
    if (views.size() < 2) return std::nullopt;
    std::vector<Ray> rays;
    rays.reserve(views.size());
    for (const SilhouetteView& view : views) rays.push_back(view.centreRay());
    const std::optional<glm::dvec3> centre = nearestPoint(rays);
    if (!centre) return std::nullopt;
    double radius = 0;
    for (const SilhouetteView& view : views) radius = std::max(radius, view.radius(*centre));

    // The whole hull is within; a second look is as fine as its own size allows.
    constexpr int kCells = 72;
    constexpr double kRoom = 1.6;
    ObjectBox hull{*centre - kRoom * radius, *centre + kRoom * radius};
    for (int look = 0; look < 2; ++look) {
        const glm::dvec3 room = (hull.high - hull.low) * (look == 0 ? 0.0 : 0.02);
        hull = {hull.low - room, hull.high + room};
        if (standing) hull.low.z = 0;
        hull = hullBox(views, hull, kCells, glm::dmat3(1.0), cancel);
        if (hull.isEmpty()) return std::nullopt;
    }
    if (standing) hull.low.z = 0;
    const ObjectBox least = leastBox(views, hull, cancel);
    if (least.isEmpty()) return std::nullopt;
    constexpr double kTowardsHull = 0.1;  // measured: from 0 to 0.3 sizes grow by 2 to 3 %
    ObjectBox made{glm::mix(least.low, hull.low, kTowardsHull),
                   glm::mix(least.high, hull.high, kTowardsHull)};
    if (standing) made.low.z = 0;
    return made;
}

}  // namespace threefold
