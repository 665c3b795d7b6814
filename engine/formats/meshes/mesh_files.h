#pragma once

#include <cstddef>
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

#include "engine/mesh.h"

namespace threefold {

enum class MeshFormat { obj, xyz, ply, stl, glb, npy, npz };

/// What a file of a mesh or of points holds. Every coordinate is finite, every face names vertices
/// that are there.
struct MeshFile {
    std::filesystem::path source;
    MeshFormat format = MeshFormat::obj;
    Points vertices;                 ///< in the file's own space and unit; never empty
    Faces faces;                     ///< empty: a cloud of points. Polygons are triangulated
    Points normals;                  ///< as many as vertices, or none
    std::vector<glm::vec3> colours;  ///< sRGB-encoded, 0…1; as many as vertices, or none
    /// What the file has beyond that, and how many: {"texture coordinates", 1200}.
    std::map<std::string, std::size_t> ignored;
};

struct MeshReading {
    std::stop_token cancel;                 ///< then reading throws Cancelled
    std::function<void(float)> progress{};  ///< 0 to 1, rising; called from the reading thread
};

/// Reads OBJ, PLY (text, both byte orders), STL (text, binary), GLB, glTF with its buffers, XYZ (`x
/// y z` or `x y z nx ny nz` a line), NPY (N×3 or N×6) or NPZ (such an array named `points`,
/// `vertices` or alike, or the only one there; maybe `faces` M×3 and `normals` N×3). The content
/// says which; the extension only where the content does not. Texts may be UTF-8 or, with a byte
/// order mark, UTF-16, and their lines end in any of the three ways. Safe with untrusted bytes:
/// reserves at most 16 × the file's size + 64 MB. Equal corners of an STL become one vertex. Throws
/// IoError, NotThisFormat (none of these), FormatError (with line or byte), InputError (no
/// vertices; a GLB whose shape is compressed or needs another extension that is not read).
MeshFile readMesh(const std::filesystem::path& file, const MeshReading& reading = {});
/// The same from memory; `subject` stands for the file in errors and gives the extension. A glTF
/// must hold its buffers.
MeshFile decodeMesh(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                    const MeshReading& reading = {});

/// The extension without its dot: "obj".
std::string_view meshFormatName(MeshFormat format);
std::optional<MeshFormat> meshFormatFromName(std::string_view name);  ///< "obj", "OBJ", ".obj"
/// Whether the extension is one of a mesh or of points: what open dialogs and drops go by.
bool looksLikeMeshFile(const std::filesystem::path& file);

}  // namespace threefold
