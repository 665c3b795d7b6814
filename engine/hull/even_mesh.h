#pragma once

#include <cstddef>
#include <stop_token>

#include "engine/hull/lattice.h"
#include "engine/mesh.h"

namespace threefold::hull {

/// The same surface with `vertices` of them at even distances, which lie on the field's zero level
/// to within a fraction of an edge. Topology stays as it is; parts that need more vertices keep
/// them. `fine` is closed, oriented and 2-manifold. Throws Cancelled.
Mesh evenMesh(Mesh fine, std::size_t vertices, const Field& field, int threads,
              const std::stop_token& cancel);

}  // namespace threefold::hull
