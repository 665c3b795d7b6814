#pragma once

#include "engine/mesh.h"

namespace threefold::test {

/// Topology computed from the faces alone, independently of the engine's structures.
struct Topology {
    bool isManifold = false;  ///< each edge occurs once in each direction, and each vertex has one
                              ///< fan
    int componentCount = 0;
    int genus = 0;  ///< of all components together
    double volume = 0;
};
Topology topologyOf(const Mesh& mesh);

}  // namespace threefold::test
