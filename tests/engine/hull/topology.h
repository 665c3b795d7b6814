#pragma once

#include "engine/mesh.h"

namespace threefold::test {

/// Counted from the faces alone, without any structure of the engine's.
struct Topology {
    bool isManifold = false;  ///< each edge once in each direction, one fan at each vertex
    int pieces = 0;
    int genus = 0;  ///< of all pieces together
    double volume = 0;
};
Topology topologyOf(const Mesh& mesh);

}  // namespace threefold::test
