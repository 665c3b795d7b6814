#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "engine/formats/meshes/mesh_formats.h"
#include "engine/formats/pictures/image.h"
#include "engine/mesh.h"

namespace threefold {

/// Texture of a mesh's surface, with texture coordinates.
struct SurfaceTexture {
    std::span<const glm::vec2> textureCoordinates;  ///< as in MeshAppearance, three for each face
    const Image* picture = nullptr;
    std::string name;  ///< of the files beside an OBJ: "mug" for mug.mtl and mug.png
};

/// Data to write besides vertices and faces, all optional, and axes of the file.
struct MeshWriteOptions {
    /// sRGB-encoded, 0…1, one for each vertex. OBJ: `v x y z r g b`; PLY: uchar red, green, blue;
    /// GLB: COLOR_0, linear as glTF requires, in float. XYZ and STL carry none.
    std::span<const glm::vec3> colours;
    /// One number for each vertex, NaN for none: `property float quality` of a PLY. Other formats
    /// carry none.
    std::span<const float> scalars;
    /// Texture. OBJ: `vt` and a material; GLB and glTF: embedded, in place of `colours`. Other
    /// formats carry none.
    const SurfaceTexture* texture = nullptr;
    /// Added to every vertex in double precision: PLY then has doubles, GLB and glTF a translated
    /// node. STL, which has only floats, ignores the origin.
    glm::dvec3 origin{0.0};
    /// Whether the mesh's z axis points up. In GLB and glTF the y axis points up: the file's
    /// node rotates z to y, and readMesh() rotates back.
    bool zUp = false;
};

/// Encodes a mesh. OBJ as the published scripts write it (METHOD.md §10): `v %.6f %.6f %.6f`, with
/// more decimals if the mesh is less than 0.1 across, then `f` with 1-based indices; XYZ as
/// numpy.savetxt does: `%.18e` of the float32 values; PLY and STL little-endian binary; GLB as glTF
/// 2.0. Independent of the locale. Throws InputError if a face names a missing vertex, a coordinate
/// is not finite, the numbers of colours, scalars or texture coordinates do not match the vertices
/// or faces, or the format can only be read.
std::string encodeMesh(MeshFormat format, const Mesh& mesh, const MeshWriteOptions& options = {});
/// Files of an OBJ's texture, beside the OBJ and of its name: .png and .mtl. None for other
/// formats.
std::vector<std::filesystem::path> textureFilesOf(const std::filesystem::path& file,
                                                  MeshFormat format);
/// Whether a file with this extension (".obj") that begins with these bytes may be one that
/// writeMesh() wrote, also a file of a texture: tells an earlier output from any other file of the
/// same name.
bool beginsAsWritten(std::string_view extension, std::string_view beginning);
/// Writes a mesh whole or not at all; a GLB as glTF text if `file` ends with .gltf. With a texture,
/// writes all new files before any old file is replaced; replaces textureFilesOf() first, the mesh
/// last. Returns all files written. Throws IoError, and what encodeMesh() throws.
std::vector<std::filesystem::path> writeMesh(const std::filesystem::path& file, MeshFormat format,
                                             const Mesh& mesh, MeshWriteOptions options = {});

}  // namespace threefold
