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

#include <glm/vec3.hpp>

#include "engine/error.h"
#include "engine/formats/meshes/mesh_formats.h"
#include "engine/mesh.h"

namespace threefold {

/// A named number for each vertex of a file, such as `property float quality` of a PLY; NaN: none.
struct VertexScalars {
    std::string name;
    std::vector<float> values;
};
/// Maximum number of scalars that are read; further ones are ignored.
inline constexpr std::size_t kMaxScalars = 16;

/// Kind of defect in the shape of a mesh file, in the alphabetical order of defectName().
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
    /// Float and double properties of a PLY's vertices other than positions, normals, colours and
    /// texture coordinates; as many values as vertices; at most kMaxScalars properties.
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
/// corners are left out"; empty if nothing is left out.
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
/// must contain its buffers. Throws as readMesh() does.
LoadedMesh decodeMesh(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                      const MeshReadOptions& options = {});

}  // namespace threefold
