#pragma once

#include <optional>
#include <span>
#include <stop_token>

#include "engine/mesh.h"
#include "engine/views/camera.h"

namespace threefold::hull {

/// Estimates the height (world y, up) of an object's base. If all cameras look from above, the
/// object's visual hull ends in a cone below the base, which no silhouette cuts off. No camera sees
/// a point below the base (METHOD.md §7b):
/// - if the visible surface ends at an edge, the base passes through the lowest visible point;
/// - if it turns away from all cameras, as a ball's does, the base lies halfway between the lowest
///   visible point and the hull's lowest point.
/// Accurate to about half a pixel of a 448×448 picture. nullopt: no camera sees the mesh. The
/// result does not depend on the number of threads. Throws Cancelled.
std::optional<double> baseHeight(const Mesh& hull, std::span<const Camera> cameras, int threads,
                                 const std::stop_token& cancel);

}  // namespace threefold::hull
