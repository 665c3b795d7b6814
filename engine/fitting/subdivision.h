#pragma once

#include "engine/fitting/mesh_levels.h"
#include "engine/mesh.h"

namespace threefold::fitting {

struct Subdivided {
    MeshLevels levels;  ///< two: of the mesh before, and with a midpoint added to each of its edges
    Points vertices;    ///< on the smooth surface that the mesh before stands for
};

/// Splits each face into four. The vertices are those of Loop's scheme (Loop 1987, with Warren's
/// weights), but that borders keep their vertices. `vertices` has levels.vertices() of them.
Subdivided subdivide(const MeshLevels& levels, const Points& vertices);

}  // namespace threefold::fitting
