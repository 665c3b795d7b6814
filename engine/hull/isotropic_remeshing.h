#pragma once

#include <cstddef>
#include <stop_token>

#include "engine/hull/marching_cubes.h"
#include "engine/mesh.h"

namespace threefold::hull {

/// Remeshes a surface to `vertexCount` evenly spaced vertices on the field's zero level (within a
/// fiftieth of an edge where the surface is smooth). Keeps the topology; parts that need more
/// vertices keep them. `fine` must be 2-manifold. Throws InputError if `fine` is not closed or not
/// oriented; Cancelled.
Mesh remeshIsotropically(Mesh fine, std::size_t vertexCount, const DistanceField& field,
                         int threads, const std::stop_token& cancel);

}  // namespace threefold::hull
