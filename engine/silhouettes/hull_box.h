#pragma once

#include <limits>
#include <span>
#include <stop_token>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

#include "engine/silhouettes/silhouette_view.h"

namespace threefold {

/// A bounding box along the axes of its frame. Without points: `low` above `high`.
struct ObjectBox {
    glm::dvec3 low{std::numeric_limits<double>::infinity()};
    glm::dvec3 high{-std::numeric_limits<double>::infinity()};

    bool isEmpty() const { return low.x > high.x; }
    glm::dvec3 centre() const { return (low + high) / 2.0; }
    double diagonal() const { return glm::length(high - low); }
    void add(glm::dvec3 point) {
        low = glm::min(low, point);
        high = glm::max(high, point);
    }
};

/// Whether the point may lie in the visual hull: each view keeps it (SilhouetteView::keeps).
bool keptByAll(std::span<const SilhouetteView> views, glm::dvec3 point);

/// The box of a visual hull, coarsely: around the cells whose centres all views keep, of a grid of
/// `cells`³ over `within`. `axes`: from the world to the frame of both boxes. Empty where no centre
/// is kept. A box that reaches the side of `within` may go on beyond. The hull itself, with a
/// surface, is visualHull()'s. Throws Cancelled.
ObjectBox hullBox(std::span<const SilhouetteView> views, const ObjectBox& within, int cells,
                  const glm::dmat3& axes = glm::dmat3(1.0), const std::stop_token& cancel = {});

}  // namespace threefold
