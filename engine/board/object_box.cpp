#include "engine/board/object_box.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>

#include <glm/common.hpp>
#include <glm/matrix.hpp>

namespace threefold::board {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

ObjectBox nothing() {
    return {glm::dvec3(kFar), glm::dvec3(-kFar)};
}
void add(ObjectBox& box, glm::dvec3 point) {
    box.low = glm::min(box.low, point);
    box.high = glm::max(box.high, point);
}

bool allKeep(const std::vector<OutlineView>& views, glm::dvec3 point) {
    return std::ranges::all_of(views, [&](const OutlineView& view) { return view.keeps(point); });
}

/// The box of the hull's points on a grid over `box`, and half a step around them.
ObjectBox hullBox(const std::vector<OutlineView>& views, const ObjectBox& box) {
    constexpr int kGrid = 72;
    const glm::dvec3 step = (box.high - box.low) / static_cast<double>(kGrid);
    ObjectBox hull = nothing();
    for (int z = 0; z < kGrid; ++z)
        for (int y = 0; y < kGrid; ++y)
            for (int x = 0; x < kGrid; ++x) {
                const glm::dvec3 point = box.low + step * (glm::dvec3(x, y, z) + 0.5);
                if (allKeep(views, point)) add(hull, point);
            }
    return {hull.low - step / 2.0, hull.high + step / 2.0};
}

/// What the object fills at least: each ray through the rim of an outline meets it somewhere in
/// the hull, at the latest at that ray's far end along each axis. A few rays may be of a spur that
/// is not the object's.
ObjectBox leastBox(const std::vector<OutlineView>& views, const ObjectBox& hull) {
    constexpr int kSteps = 160;
    constexpr std::size_t kMostRays = 600;  // of a view
    constexpr double kSpurs = 0.01;         // of a view's rays
    ObjectBox least = nothing();
    for (const OutlineView& view : views) {
        const std::size_t every = view.rim().size() / kMostRays + 1;
        std::array<std::vector<double>, 3> lows, highs;
        for (std::size_t i = 0; i < view.rim().size(); i += every) {
            const glm::dvec3 way = view.wayThrough(glm::dvec2(view.rim()[i]) + 0.5);
            const glm::dvec3 one = (hull.low - view.origin()) / way;
            const glm::dvec3 other = (hull.high - view.origin()) / way;
            const glm::dvec3 enters = glm::min(one, other);
            const glm::dvec3 leaves = glm::max(one, other);
            const double from = std::max({enters.x, enters.y, enters.z});
            const double to = std::min({leaves.x, leaves.y, leaves.z});
            ObjectBox met = nothing();
            for (int k = 0; k < kSteps && from < to; ++k) {
                const glm::dvec3 point =
                    view.origin() + way * (from + (to - from) * (k + 0.5) / kSteps);
                if (allKeep(views, point)) add(met, point);
            }
            for (int axis = 0; axis < 3 && met.low.x <= met.high.x; ++axis) {
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

std::optional<ObjectBox> objectBox(const std::vector<Outline>& outlines, bool standing) {
    std::vector<OutlineView> views;
    views.reserve(outlines.size());
    for (const Outline& outline : outlines)
        if (OutlineView view(outline); !view.isEmpty()) views.push_back(view);
    if (views.size() < 2) return std::nullopt;

    // Nearest to all middles' rays.
    glm::dmat3 across(0.0);
    glm::dvec3 right(0.0);
    for (const OutlineView& view : views) {
        const glm::dvec3 way = view.middleWay();
        const glm::dmat3 own = glm::dmat3(1.0) - glm::outerProduct(way, way);
        across += own;
        right += own * view.origin();
    }
    constexpr double kParallel = 1e-6;
    if (std::abs(glm::determinant(across)) < kParallel) return std::nullopt;
    const glm::dvec3 middle = glm::inverse(across) * right;
    double reach = 0;
    for (const OutlineView& view : views) reach = std::max(reach, view.reach(middle));

    // The whole hull is within; a second look is as fine as its own size allows.
    constexpr double kRoom = 1.6;
    ObjectBox hull{middle - kRoom * reach, middle + kRoom * reach};
    for (int look = 0; look < 2; ++look) {
        const glm::dvec3 room = (hull.high - hull.low) * (look == 0 ? 0.0 : 0.02);
        hull = {hull.low - room, hull.high + room};
        if (standing) hull.low.z = 0;
        hull = hullBox(views, hull);
        if (hull.low.x > hull.high.x) return std::nullopt;
    }
    if (standing) hull.low.z = 0;
    const ObjectBox least = leastBox(views, hull);
    if (least.low.x > least.high.x) return std::nullopt;
    constexpr double kTowardsHull = 0.1;  // measured: from 0 to 0.3 sizes grow by 2 to 3 %
    ObjectBox made{glm::mix(least.low, hull.low, kTowardsHull),
                   glm::mix(least.high, hull.high, kTowardsHull)};
    if (standing) made.low.z = 0;
    return made;
}

}  // namespace threefold::board
