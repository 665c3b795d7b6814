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

/// Coarse bounding box of the visual hull: encloses the cells, of a grid of `cells`³ over
/// `searchBox`, whose centres are in all silhouettes. `cells` is 1 or more; the cost is `cells`³
/// times the number of views. `axes` rotates the world into the frame of both
/// boxes. Empty if no centre is. The
/// hull may extend beyond a box that touches a side of `searchBox`. visualHull() makes the hull
/// itself, with a surface. Throws Cancelled.
Box3d hullBox(std::span<const SilhouetteQuery> views, const Box3d& searchBox, int cells,
              const glm::dmat3& axes = glm::dmat3(1.0), const std::stop_token& cancel = {});

}  // namespace threefold
