#pragma once

#include "engine/mesh.h"

namespace threefold::hull {

/// Keeps those connected pieces of a closed mesh that have at least 0.0003 of the largest one's
/// volume. The surface of a cavity has a volume below 0, and goes.
void dropSmallPieces(Mesh& mesh);

}  // namespace threefold::hull
