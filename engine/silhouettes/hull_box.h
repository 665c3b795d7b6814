#pragma once

#include <span>
#include <stop_token>

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

#include "engine/bounding_box.h"
#include "engine/silhouettes/silhouette_query.h"

namespace threefold {

/// Whether every view may contain the point (SilhouetteQuery::mayContain()), so that the point may
/// lie in the visual hull.
bool isInAllSilhouettes(std::span<const SilhouetteQuery> views, glm::dvec3 point);

/// Coarse bounding box of the visual hull. Divides `searchBox` into `cells`³ cells (`cells` ≥ 1)
/// and returns the box around those whose centres are in all silhouettes; empty if there are none.
/// `axes` rotates the world into the coordinate system of both boxes. The hull may extend beyond a
/// box that touches a side of `searchBox`. Cost: `cells`³ × views. Throws Cancelled. visualHull()
/// computes the hull itself.
Box3d hullBox(std::span<const SilhouetteQuery> views, const Box3d& searchBox, int cells,
              const glm::dmat3& axes = glm::dmat3(1.0), const std::stop_token& cancel = {});

}  // namespace threefold
