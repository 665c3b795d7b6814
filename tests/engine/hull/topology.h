#pragma once

#include "engine/mesh.h"

namespace threefold::test {

/// Topology and volume, computed from vertices and faces alone, independently of the engine's
/// structures.
struct Topology {
    bool isManifold = false;  ///< each edge occurs once in each direction, and the faces around
                              ///< each vertex form one closed fan
    int componentCount = 0;
    int genus = 0;  ///< of all components together
    double volume = 0;
};
Topology topologyOf(const Mesh& mesh);

}  // namespace threefold::test
