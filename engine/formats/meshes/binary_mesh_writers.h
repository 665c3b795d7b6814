#pragma once

#include <string>

#include "engine/formats/meshes/mesh_writers.h"

namespace threefold {

// encodeMesh() of the formats made of bytes; mesh and extras have been checked.
std::string plyBytes(const Mesh& mesh, const VertexExtras& extras);
std::string stlBytes(const Mesh& mesh);
std::string glbBytes(const Mesh& mesh, const VertexExtras& extras);

}  // namespace threefold
