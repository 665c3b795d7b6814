#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Every format of meshes or points, in the order in which lists name them. A new one is a line
/// here and a file that defines `mesh_formats::NAME`; everything else follows from that.
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
struct MeshContent;
struct MeshFile;
struct MeshInput;
struct VertexExtras;

#define THREEFOLD_ENUMERATOR(name) name,
enum class MeshFormat { THREEFOLD_MESH_FORMATS(THREEFOLD_ENUMERATOR) };
#undef THREEFOLD_ENUMERATOR

/// All that is known about one format.
struct MeshFormatInfo {
    std::string_view names;  ///< for display: "GLB, glTF"
    /// Without the dot. The first one names the format; the second may be empty.
    std::array<std::string_view, 2> extensions;
    const char* choice = "";  ///< in the export dialog: "OBJ (text)"
    /// Whether a file of this content is of the format.
    bool (*recognises)(const MeshContent&) = nullptr;
    MeshFile (*read)(const MeshInput&) = nullptr;
    /// The bytes of a checked mesh; null where the format is only read.
    std::string (*write)(const Mesh&, const VertexExtras&) = nullptr;
    bool carriesFaces = false;
    bool carriesColours = false;
    bool carriesTextures = false;
    bool isArrays = false;  ///< `inspect` describes its arrays, not a mesh
    /// Ground truths are looked for in rising order; 0: the format is never one.
    int truthOrder = 3;
};

namespace mesh_formats {
#define THREEFOLD_DECLARATION(name) extern const MeshFormatInfo name;
THREEFOLD_MESH_FORMATS(THREEFOLD_DECLARATION)
#undef THREEFOLD_DECLARATION
}  // namespace mesh_formats

const MeshFormatInfo& infoOf(MeshFormat format);

using MeshFormatFilter = bool (*)(const MeshFormatInfo&);
namespace mesh_formats {
inline bool all(const MeshFormatInfo&) {
    return true;
}
inline bool written(const MeshFormatInfo& format) {
    return format.write != nullptr;
}
inline bool withTextures(const MeshFormatInfo& format) {
    return format.carriesTextures;
}
inline bool withFaces(const MeshFormatInfo& format) {
    return format.carriesFaces;
}
inline bool notArrays(const MeshFormatInfo& format) {
    return !format.isArrays;
}
}  // namespace mesh_formats

/// The formats that pass the filter, in the order of lists.
std::vector<MeshFormat> meshFormats(MeshFormatFilter filter = mesh_formats::all);
/// Their names as a sentence has them: "OBJ, PLY and STL" where `last` is " and ".
std::string meshFormatNames(std::string_view last = ", ",
                            MeshFormatFilter filter = mesh_formats::all);
/// Their extensions with the dot: ".glb", ".gltf".
std::vector<std::string> meshExtensions(MeshFormatFilter filter = mesh_formats::all);

/// The extension without its dot: "obj".
std::string_view meshFormatName(MeshFormat format);
std::optional<MeshFormat> meshFormatFromName(std::string_view name);  ///< "obj", "OBJ", ".obj"
/// Whether the file's extension is one of a mesh or of points.
bool looksLikeMeshFile(const std::filesystem::path& file);

}  // namespace threefold
