#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "engine/formats/meshes/mesh_files.h"
#include "engine/mesh.h"

namespace threefold {

/// Wavefront OBJ text exactly as the seed's scripts write it (METHOD.md §10): `v %.6f %.6f %.6f`
/// then `f` with 1-based indices, '\n' line ends, independent of the locale. Throws InputError when
/// a face names a missing vertex or a coordinate is not finite.
std::string formatObj(const Mesh& mesh);

/// One `x y z` line a point in numpy.savetxt's default format, `%.18e` of the float32 value.
/// Throws InputError when a coordinate is not finite.
std::string formatXyz(const Points& points);

/// Write whole or not at all. Throw IoError; InputError as above (nothing is written then).
void writeObj(const std::filesystem::path& file, const Mesh& mesh);
void writeXyz(const std::filesystem::path& file, const Points& points);

/// What a vertex carries besides its place; either may be empty.
struct VertexExtras {
    /// sRGB-encoded, 0…1, one for each vertex. OBJ: `v x y z r g b`; PLY: uchar red, green, blue;
    /// GLB: COLOR_0, linear as glTF asks, in float. XYZ and STL carry none.
    std::span<const glm::vec3> colours;
    /// One number for each vertex: `property float quality` of a PLY. NaN: none.
    std::span<const float> values;
};

/// Whether the format has a place for VertexExtras::colours, and for faces.
bool carriesColours(MeshFormat format);
bool carriesFaces(MeshFormat format);

/// The bytes of a file: OBJ and XYZ as above, PLY and STL little-endian binary, GLB as glTF 2.0.
/// Not NPY and NPZ. Throws InputError as above, or where the extras are not as many as the
/// vertices.
std::string encodeMesh(MeshFormat format, const Mesh& mesh, const VertexExtras& extras = {});
/// Whole or not at all. Throws IoError as well.
void writeMesh(const std::filesystem::path& file, MeshFormat format, const Mesh& mesh,
               const VertexExtras& extras = {});

}  // namespace threefold
