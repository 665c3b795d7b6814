#pragma once

#include <optional>
#include <span>
#include <stop_token>

#include "engine/mesh.h"
#include "engine/views/camera.h"

namespace threefold::hull {

/// Estimates where a visual hull ends below: the height (world y, up) of a horizontal plane. Seen
/// from above only, a hull has a cone below the object, in place of a base or a round underside.
/// No camera sees a point below the plane (METHOD.md §7b):
/// - above an edge, the plane passes through the lowest visible point;
/// - where the surface turns away from all cameras, as a ball's does, the plane lies halfway
///   between the lowest visible and the hull's lowest point.
/// Accurate to about half a pixel of a 448×448 picture. nullopt: no camera sees the mesh. The
/// result does not depend on the number of threads. Throws Cancelled.
std::optional<double> baseHeight(const Mesh& hull, std::span<const Camera> cameras, int threads,
                                 const std::stop_token& cancel);

}  // namespace threefold::hull
