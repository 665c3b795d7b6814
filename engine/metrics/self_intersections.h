#pragma once

#include <cstdint>
#include <vector>

#include "engine/mesh.h"

namespace threefold {

/// The faces that cut through others of the same mesh or touch them, ascending: two faces without a
/// common vertex that have a point in common, or two with one common vertex that have another point
/// in common. Exact for all finite coordinates. Faces with two common vertices are neighbours and
/// never count, nor does a face without area. All vertices must be finite, and there. Thread-safe.
std::vector<std::uint32_t> intersectingFaces(const Points& vertices, const Faces& faces);

}  // namespace threefold
