#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <glm/vec3.hpp>

#include "engine/formats/meshes/mesh_writing.h"

namespace threefold {

/// Converts a GLB of one JSON chunk and one binary chunk, as written by this program (unchecked),
/// to a glTF text with the buffer embedded.
std::string gltfFromGlb(std::string_view glb);

/// Encodes a mesh as binary PLY, little-endian: MeshFormatInfo::encode of the format.
std::string writePly(const Mesh& mesh, const MeshWriteOptions& options);

/// Position of a vertex plus the options' origin; −0 stays −0 without an origin.
inline glm::dvec3 vertexPosition(const Mesh& mesh, const MeshWriteOptions& options,
                                 std::size_t vertex) {
    const glm::dvec3 position(mesh.vertices[vertex]);
    return options.origin == glm::dvec3(0.0) ? position : options.origin + position;
}

}  // namespace threefold
