#include "engine/board/outline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include <glm/common.hpp>
#include <glm/matrix.hpp>

#include "engine/error.h"

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
ObjectBox hullBox(const std::vector<OutlineView>& views, const ObjectBox& box,
                  const std::stop_token& cancel) {
    constexpr int kGrid = 72;
    const glm::dvec3 step = (box.high - box.low) / static_cast<double>(kGrid);
    ObjectBox hull = nothing();
    for (int z = 0; z < kGrid; ++z)
        for (int y = 0; y < kGrid; ++y) {
            if (cancel.stop_requested()) throw Cancelled();
            for (int x = 0; x < kGrid; ++x) {
                const glm::dvec3 point = box.low + step * (glm::dvec3(x, y, z) + 0.5);
                if (allKeep(views, point)) add(hull, point);
            }
        }
    return {hull.low - step / 2.0, hull.high + step / 2.0};
}

/// What the object fills at least: each ray through the rim of an outline meets it somewhere in
/// the hull, at the latest at that ray's far end along each axis. A few rays may be of a spur that
/// is not the object's.
ObjectBox leastBox(const std::vector<OutlineView>& views, const ObjectBox& hull,
                   const std::stop_token& cancel) {
    constexpr int kSteps = 160;
    constexpr std::size_t kMostOfView = 600, kMostOfAll = 36'000;  // rays
    constexpr double kSpurs = 0.01;                                // of a view's rays
    const std::size_t mostRays = std::min(kMostOfView, kMostOfAll / views.size() + 1);
    ObjectBox least = nothing();
    for (const OutlineView& view : views) {
        const std::size_t every = view.rim().size() / mostRays + 1;
        std::array<std::vector<double>, 3> lows, highs;
        for (std::size_t i = 0; i < view.rim().size(); i += every) {
            if (cancel.stop_requested()) throw Cancelled();
            const glm::dvec3 ray = view.rayAt(glm::dvec2(view.rim()[i]) + 0.5);
            const glm::dvec3 one = (hull.low - view.origin()) / ray;
            const glm::dvec3 other = (hull.high - view.origin()) / ray;
            const glm::dvec3 enters = glm::min(one, other);
            const glm::dvec3 leaves = glm::max(one, other);
            const double from = std::max({enters.x, enters.y, enters.z});
            const double to = std::min({leaves.x, leaves.y, leaves.z});
            ObjectBox met = nothing();
            for (int k = 0; k < kSteps && from < to; ++k) {
                const glm::dvec3 point =
                    view.origin() + ray * (from + (to - from) * (k + 0.5) / kSteps);
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

OutlineView::OutlineView(const CalibratedMask& outline)
    : outline_(outline), projection_(outline.lens) {
    const Mask& mask = outline.mask;
    for (int y = 0; y < mask.height; ++y)
        for (int x = 0; x < mask.width; ++x) {
            if (!holds(mask.inside, x, y)) continue;
            left_ = std::min(left_, x);
            right_ = std::max(right_, x);
            top_ = std::min(top_, y);
            bottom_ = y;
        }
    const std::vector<std::uint8_t> narrow = narrowed(mask.inside);
    for (int y = 0; y < mask.height; ++y)
        for (int x = 0; x < mask.width; ++x)
            if (holds(mask.inside, x, y) && !holds(narrow, x, y)) rim_.emplace_back(x, y);
    isWhole_ = left_ > 0 && top_ > 0 && right_ < mask.width - 1 && bottom_ < mask.height - 1;
}

bool OutlineView::keeps(glm::dvec3 point) const {
    const Mask& mask = outline_.mask;
    const auto at = projection_.pixelOf(outline_.camera.toView(point));
    if (!at || !outline_.lens.holds(*at)) return !isWhole_;
    const int x = static_cast<int>(at->x * mask.width / outline_.lens.width);
    const int y = static_cast<int>(at->y * mask.height / outline_.lens.height);
    return holds(mask.inside, std::min(x, mask.width - 1), std::min(y, mask.height - 1));
}

glm::dvec3 OutlineView::rayAt(glm::dvec2 pixel) const {
    const glm::dvec2 scale(static_cast<double>(outline_.lens.width) / outline_.mask.width,
                           static_cast<double>(outline_.lens.height) / outline_.mask.height);
    return glm::transpose(outline_.camera.rotation) * rayThrough(outline_.lens, pixel * scale);
}

glm::dvec3 OutlineView::centreRay() const {
    return rayAt(glm::dvec2(left_ + right_ + 1, top_ + bottom_ + 1) / 2.0);
}

double OutlineView::radius(glm::dvec3 point) const {
    return glm::length(rayAt({left_, top_}) - rayAt({right_ + 1, bottom_ + 1})) / 2 *
           glm::length(point - origin());
}

/// Without the pixels that have a neighbour outside.
std::vector<std::uint8_t> OutlineView::narrowed(const std::vector<std::uint8_t>& inside) const {
    const int width = outline_.mask.width, height = outline_.mask.height;
    std::vector<std::uint8_t> narrow = inside;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int v = std::max(0, y - 1); v <= std::min(y + 1, height - 1); ++v)
                for (int u = std::max(0, x - 1); u <= std::min(x + 1, width - 1); ++u)
                    if (!holds(inside, u, v)) narrow[indexOf(x, y)] = 0;
    return narrow;
}

std::optional<ObjectBox> objectBox(const std::vector<CalibratedMask>& outlines, bool standing,
                                   const std::stop_token& cancel) {
    std::vector<OutlineView> views;
    views.reserve(outlines.size());
    for (const CalibratedMask& outline : outlines)
        if (OutlineView view(outline); !view.isEmpty()) views.push_back(view);
    if (views.size() < 2) return std::nullopt;

    // Nearest to all middles' rays.
    glm::dmat3 across(0.0);
    glm::dvec3 right(0.0);
    for (const OutlineView& view : views) {
        const glm::dvec3 ray = view.centreRay();
        const glm::dmat3 own = glm::dmat3(1.0) - glm::outerProduct(ray, ray);
        across += own;
        right += own * view.origin();
    }
    constexpr double kParallel = 1e-6;
    if (std::abs(glm::determinant(across)) < kParallel) return std::nullopt;
    const glm::dvec3 centre = glm::inverse(across) * right;
    double radius = 0;
    for (const OutlineView& view : views) radius = std::max(radius, view.radius(centre));

    // The whole hull is within; a second look is as fine as its own size allows.
    constexpr double kRoom = 1.6;
    ObjectBox hull{centre - kRoom * radius, centre + kRoom * radius};
    for (int look = 0; look < 2; ++look) {
        const glm::dvec3 room = (hull.high - hull.low) * (look == 0 ? 0.0 : 0.02);
        hull = {hull.low - room, hull.high + room};
        if (standing) hull.low.z = 0;
        hull = hullBox(views, hull, cancel);
        if (hull.low.x > hull.high.x) return std::nullopt;
    }
    if (standing) hull.low.z = 0;
    const ObjectBox least = leastBox(views, hull, cancel);
    if (least.low.x > least.high.x) return std::nullopt;
    constexpr double kTowardsHull = 0.1;  // measured: from 0 to 0.3 sizes grow by 2 to 3 %
    ObjectBox made{glm::mix(least.low, hull.low, kTowardsHull),
                   glm::mix(least.high, hull.high, kTowardsHull)};
    if (standing) made.low.z = 0;
    return made;
}

}  // namespace threefold::board
