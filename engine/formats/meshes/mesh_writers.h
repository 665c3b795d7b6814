#pragma once

#include <filesystem>
#include <span>
#include <string>

#include <glm/vec3.hpp>

#include "engine/formats/meshes/mesh_formats.h"
#include "engine/mesh.h"

namespace threefold {

/// What a vertex carries besides its place; either may be empty.
struct VertexExtras {
    /// sRGB-encoded, 0…1, one for each vertex. OBJ: `v x y z r g b`; PLY: uchar red, green, blue;
    /// GLB: COLOR_0, linear as glTF asks, in float. XYZ and STL carry none.
    std::span<const glm::vec3> colours;
    /// One number for each vertex: `property float quality` of a PLY. NaN: none.
    std::span<const float> values;
};

/// The bytes of a file. OBJ as the published scripts write it (METHOD.md §10): `v %.6f %.6f %.6f`,
/// then `f` with 1-based indices; XYZ as numpy.savetxt does: `%.18e` of the float32 values; PLY and
/// STL little-endian binary; GLB as glTF 2.0. All are independent of the locale. Throws InputError
/// when a face names a missing vertex, a coordinate is not finite, the extras are not as many as
/// the vertices, or the format is only read.
std::string encodeMesh(MeshFormat format, const Mesh& mesh, const VertexExtras& extras = {});
/// Writes it whole or not at all. Throws IoError as well.
void writeMesh(const std::filesystem::path& file, MeshFormat format, const Mesh& mesh,
               const VertexExtras& extras = {});

}  // namespace threefold
