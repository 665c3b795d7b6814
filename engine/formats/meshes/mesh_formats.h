#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Every format of meshes or points, in the order in which the program lists them. To add a format,
/// add a line here and a file that defines `mesh_formats::NAME`.
#define THREEFOLD_MESH_FORMATS(FORMAT) \
    FORMAT(obj)                        \
    FORMAT(ply)                        \
    FORMAT(stl)                        \
    FORMAT(glb)                        \
    FORMAT(off)                        \
    FORMAT(xyz)                        \
    FORMAT(npy)                        \
    FORMAT(npz)

namespace threefold {

struct Mesh;
struct FormatProbe;
struct LoadedMesh;
struct MeshInput;
struct MeshWriteOptions;

#define THREEFOLD_ENUMERATOR(name) name,
/// Format of mesh files, by THREEFOLD_MESH_FORMATS.
enum class MeshFormat { THREEFOLD_MESH_FORMATS(THREEFOLD_ENUMERATOR) };
#undef THREEFOLD_ENUMERATOR

/// Properties and functions of a format.
struct MeshFormatInfo {
    std::string_view names;  ///< for display: "GLB, glTF"
    /// Extensions without the dot. The first one names the format; the second may be empty.
    std::array<std::string_view, 2> extensions;
    /// Whether content is of the format.
    bool (*recognises)(const FormatProbe&) = nullptr;
    LoadedMesh (*decode)(const MeshInput&) = nullptr;
    /// Encodes a checked mesh; null if the format is only read.
    std::string (*encode)(const Mesh&, const MeshWriteOptions&) = nullptr;
    bool carriesFaces = false;
    bool carriesColours = false;
    bool carriesTextures = false;
    bool holdsArrays = false;  ///< `inspect` describes arrays, not a mesh
};

namespace mesh_formats {
#define THREEFOLD_DECLARATION(name) extern const MeshFormatInfo name;
THREEFOLD_MESH_FORMATS(THREEFOLD_DECLARATION)
#undef THREEFOLD_DECLARATION
}  // namespace mesh_formats

/// Description of a format, with static lifetime.
const MeshFormatInfo& infoOf(MeshFormat format);

using MeshFormatFilter = bool (*)(const MeshFormatInfo&);
namespace mesh_format_filters {
inline bool all(const MeshFormatInfo&) {
    return true;
}
inline bool writable(const MeshFormatInfo& format) {
    return format.encode != nullptr;
}
inline bool withTextures(const MeshFormatInfo& format) {
    return format.carriesTextures;
}
inline bool withFaces(const MeshFormatInfo& format) {
    return format.carriesFaces;
}
inline bool notArrays(const MeshFormatInfo& format) {
    return !format.holdsArrays;
}
}  // namespace mesh_format_filters

/// The formats that pass the filter, in the order of THREEFOLD_MESH_FORMATS.
std::vector<MeshFormat> meshFormats(MeshFormatFilter filter = mesh_format_filters::all);
/// Names of the formats that pass the filter, for a sentence: "OBJ, PLY and STL" if `last` is
/// " and ".
std::string meshFormatNames(std::string_view last = ", ",
                            MeshFormatFilter filter = mesh_format_filters::all);
/// Extensions of the formats that pass the filter, with the dot: ".glb", ".gltf".
std::vector<std::string> meshExtensions(MeshFormatFilter filter = mesh_format_filters::all);

/// First extension of the format, without a dot: "obj".
std::string_view meshFormatExtension(MeshFormat format);
std::optional<MeshFormat> meshFormatFromExtension(std::string_view name);  ///< "obj", "OBJ", ".obj"
/// Whether the file's extension is that of a format of meshes or points.
bool looksLikeMeshFile(const std::filesystem::path& file);

}  // namespace threefold
