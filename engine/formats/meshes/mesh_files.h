#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "engine/error.h"
#include "engine/formats/meshes/mesh_formats.h"
#include "engine/formats/pictures/image.h"
#include "engine/mesh.h"

namespace threefold {

/// A named number for each vertex of a file, such as `property float quality` of a PLY; NaN: none.
struct VertexScalars {
    std::string name;
    std::vector<float> values;
};
/// Maximum number of scalars that are read; further ones are ignored.
inline constexpr std::size_t kMaxScalars = 16;

/// Kind of defect in the shape of a mesh file, with its defectName(), which gives the order.
enum class ShapeDefect {
    bytesBehindEnd,      ///< "bytes behind the last element"
    degenerateFaces,     ///< "faces of one or two corners"
    nonFiniteFaces,      ///< "faces of points that are not finite"
    nonFinitePoints,     ///< "points that are not finite"
    meshRepetitions,     ///< "repetitions of meshes by EXT_mesh_gpu_instancing"
    nonFiniteTriangles,  ///< "triangles of points that are not finite"
};
std::string_view defectName(ShapeDefect defect);  ///< in the plural

/// Content of a file of a mesh or of points. Every coordinate is finite, every face names existing
/// vertices.
struct LoadedMesh {
    std::filesystem::path source;
    MeshFormat format = MeshFormat::obj;
    Points vertices;  ///< in the file's own space and unit, less `origin`; never empty
    /// Offset of `vertices`: a point near the mesh if the mesh is farther from 0 than kFarFromZero
    /// times its box's diagonal, as in map coordinates, where floats would round its shape; a point
    /// near most of the vertices if only these lie together far away; else 0.
    glm::dvec3 origin{0.0};
    Faces faces;                     ///< empty: a cloud of points. Polygons are triangulated
    Points normals;                  ///< as many as vertices, or none
    std::vector<glm::vec3> colours;  ///< sRGB-encoded, 0…1; as many as vertices, or none
    /// Float and double properties of a PLY's vertices without a meaning of their own, as many
    /// values as vertices; at most kMaxScalars.
    std::vector<VertexScalars> scalars = {};
    /// Content that is not read, and its count: {"texture coordinates", 1200}.
    std::map<std::string, std::size_t> unreadContent;
    std::map<ShapeDefect, std::size_t>
        leftOut;  ///< defective parts that are left out, and their count
    /// Index of each vertex before points that are not finite were left out; empty if none were.
    std::vector<std::uint32_t> fileIndices = {};

    /// Index of a vertex among all points of the file.
    std::size_t fileIndexOf(std::size_t vertex) const {
        return fileIndices.empty() ? vertex : fileIndices[vertex];
    }
    /// Position of a vertex in the file's space.
    glm::dvec3 positionOf(std::size_t vertex) const {
        return origin + glm::dvec3(vertices[vertex]);
    }
};

/// Sentence about LoadedMesh::leftOut: "2 points that are not finite and 1 face of one or two
/// corners are left out"; empty if nothing is.
std::string leftOutText(const LoadedMesh& mesh);

/// Options and callbacks of reading a mesh.
struct MeshReadOptions {
    std::stop_token cancel;                   ///< makes reading throw Cancelled
    std::function<void(float)> onProgress{};  ///< 0 to 1, rising; called from the reading thread
    /// Whether material libraries and textures may lie outside the mesh's folder. Buffers never
    /// may.
    bool texturesAnywhere = false;
};

/// Reads a file of any format of mesh_formats.h; docs/MESHES.md lists the parts of each format
/// that are read, joined, and left out. The content decides the format, the extension only if the
/// content does not. Safe for untrusted bytes: reserves at most 16 × the file's size + 64 MB.
/// Throws IoError, NotThisFormat (no known format), FormatError (with line or byte), InputError (no
/// finite vertices; a GLB whose shape is compressed or needs an unknown extension; a buffer outside
/// the mesh's folder).
LoadedMesh readMesh(const std::filesystem::path& file, const MeshReadOptions& options = {});
/// Decodes a mesh from memory; `subject` names the file in errors and gives the extension. A glTF
/// must contain its buffers. Throws as readMesh().
LoadedMesh decodeMesh(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                      const MeshReadOptions& options = {});

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
    /// node. STL, which has floats alone, ignores it.
    glm::dvec3 origin{0.0};
    /// Whether the mesh's z axis points up. In GLB and glTF the y axis does: the file's node
    /// rotates z to y, and readMesh() rotates back.
    bool zUp = false;
};

/// Encodes a mesh. OBJ as the published scripts write it (METHOD.md §10): `v %.6f %.6f %.6f`, with
/// more decimals if the mesh is less than 0.1 across, then `f` with 1-based indices; XYZ as
/// numpy.savetxt does: `%.18e` of the float32 values; PLY and STL little-endian binary; GLB as glTF
/// 2.0. Independent of the locale. Throws InputError if a face names a missing vertex, a coordinate
/// is not finite, the numbers of colours, scalars or texture coordinates do not match the vertices
/// or faces, or the format is only read.
std::string encodeMesh(MeshFormat format, const Mesh& mesh, const MeshWriteOptions& options = {});
/// Files of an OBJ's texture, beside the OBJ and of its name: .png and .mtl. None for other
/// formats.
std::vector<std::filesystem::path> textureFilesOf(const std::filesystem::path& file,
                                                  MeshFormat format);
/// Writes a mesh whole or not at all: as glTF text if `file` ends with .gltf. With a texture,
/// replaces textureFilesOf() first, and nothing before all files are written. Returns all files
/// written. Throws IoError and as encodeMesh().
std::vector<std::filesystem::path> writeMesh(const std::filesystem::path& file, MeshFormat format,
                                             const Mesh& mesh, MeshWriteOptions options = {});

}  // namespace threefold
