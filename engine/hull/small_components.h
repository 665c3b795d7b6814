#pragma once

#include "engine/mesh.h"

namespace threefold::hull {

/// Drops the connected pieces of a closed mesh whose volume is below 0.0003 of the largest piece's.
/// Drops surfaces of cavities as well, whose volume is negative.
void dropSmallComponents(Mesh& mesh);

}  // namespace threefold::hull
