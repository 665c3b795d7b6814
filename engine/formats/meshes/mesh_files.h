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
#include <vector>

#include <glm/mat2x2.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "engine/error.h"
#include "engine/formats/meshes/mesh_formats.h"
#include "engine/formats/pictures/image.h"
#include "engine/mesh.h"

namespace threefold {

/// What a file of a mesh or of points holds. Every coordinate is finite, every face names vertices
/// that are there.
struct MeshFile {
    std::filesystem::path source;
    MeshFormat format = MeshFormat::obj;
    Points vertices;  ///< in the file's own space and unit, less `origin`; never empty
    /// Near the mesh where it lies farther from 0 than kFarFromZero times its box's diagonal, as
    /// with a map's coordinates, where floats would round its shape; else 0.
    glm::dvec3 origin{0.0};
    Faces faces;                     ///< empty: a cloud of points. Polygons are triangulated
    Points normals;                  ///< as many as vertices, or none
    std::vector<glm::vec3> colours;  ///< sRGB-encoded, 0…1; as many as vertices, or none
    /// What the file has beyond that, and how many: {"texture coordinates", 1200}.
    std::map<std::string, std::size_t> ignored;
    /// Defective parts of the shape that are left out, and how many: {"faces of one or two
    /// corners", 1}.
    std::map<std::string, std::size_t> leftOut;

    /// Places of the vertices in the file's space.
    glm::dvec3 placeOf(std::size_t vertex) const { return origin + glm::dvec3(vertices[vertex]); }
};

/// See MeshFile::origin.
inline constexpr double kFarFromZero = 32;

/// MeshFile::origin of a shape in the box from `low` to `high`: its centre, rounded to few digits,
/// or 0 where floats hold the shape.
glm::dvec3 originFor(glm::dvec3 low, glm::dvec3 high);

/// The same mesh with its vertices relative to another origin.
void moveOrigin(MeshFile& mesh, glm::dvec3 origin);

/// "2 points that are not finite and 1 faces of one or two corners are left out"; empty where
/// nothing is.
std::string leftOutText(const MeshFile& mesh);

struct MeshReading {
    std::stop_token cancel;                 ///< then reading throws Cancelled
    std::function<void(float)> progress{};  ///< 0 to 1, rising; called from the reading thread
    /// Whether material libraries and textures may lie outside the mesh's folder. Buffers never
    /// may.
    bool texturesAnywhere = false;
};

/// Reads a file of any format of mesh_formats.h: its content decides which, its extension only if
/// the content does not. A glTF is read with the files of its buffers; of an NPY or NPZ the points
/// are an N×3 or N×6 array (the one named `points`, `vertices` or alike, or the only one there).
/// Points that are not finite are left out with their faces, unless none is finite.
/// Texts may be UTF-8 or, with a byte order mark, UTF-16; lines may end in any of the three ways.
/// Safe with untrusted bytes: reserves at most 16 × the file's size + 64 MB. Equal corners of an
/// STL become one vertex. Throws IoError, NotThisFormat (none of these), FormatError (with line or
/// byte), InputError (no vertices; a GLB whose shape is compressed or needs an unknown extension; a
/// buffer outside the mesh's folder).
MeshFile readMesh(const std::filesystem::path& file, const MeshReading& reading = {});
/// The same from memory; `subject` names the file in errors and gives the extension. A glTF must
/// hold its own buffers.
MeshFile decodeMesh(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                    const MeshReading& reading = {});

/// A picture on a mesh's surface, and where each face lies in it.
struct SurfaceTexture {
    std::span<const glm::vec2> coordinates;  ///< as MeshLook has them, three for each face
    const Image* picture = nullptr;
    std::string name;  ///< of an OBJ's files beside it: "mug" of mug.mtl and mug.png
};

/// What a mesh carries besides places and faces; all may be empty.
struct VertexExtras {
    /// sRGB-encoded, 0…1, one for each vertex. OBJ: `v x y z r g b`; PLY: uchar red, green, blue;
    /// GLB: COLOR_0, linear as glTF requires, in float. XYZ and STL carry none.
    std::span<const glm::vec3> colours;
    /// One number for each vertex: `property float quality` of a PLY. NaN: none.
    std::span<const float> values;
    /// OBJ: `vt` and a material; GLB and glTF: inside. Others carry none.
    const SurfaceTexture* texture = nullptr;
    /// Added to every vertex with a double's digits: PLY then has doubles, GLB and glTF a node
    /// that is moved. STL has floats alone.
    glm::dvec3 origin{0.0};
    /// The mesh's z axis points up. In GLB and glTF y does: the file's node turns it there, and
    /// readMesh() turns it back.
    bool zUp = false;
};

/// The bytes of a file. OBJ as the published scripts write it (METHOD.md §10): `v %.6f %.6f %.6f`,
/// with more decimals where the mesh is less than 0.1 across, then `f` with 1-based indices; XYZ as
/// numpy.savetxt does: `%.18e` of the float32 values; PLY and STL little-endian binary; GLB as
/// glTF 2.0. All are independent of the locale. Throws InputError when a face names a missing
/// vertex, a coordinate is not finite, the extras are not as many as the vertices or faces, or the
/// format is only read.
std::string encodeMesh(MeshFormat format, const Mesh& mesh, const VertexExtras& extras = {});
/// Writes it whole or not at all, where `file` ends with .gltf as text, with an OBJ's texture its
/// .mtl and .png beside it first, under the file's own name. All these files. Throws IoError as
/// well.
std::vector<std::filesystem::path> writeMesh(const std::filesystem::path& file, MeshFormat format,
                                             const Mesh& mesh, VertexExtras extras = {});

class NamedFiles;

inline constexpr std::uint32_t kNoMaterial = UINT32_MAX;

/// What a texture does beyond its borders.
enum class Wrap : std::uint8_t { repeat, mirror, clamp };

/// How a texture lies on a surface.
struct TextureMap {
    static constexpr std::int32_t kNoTexture = -1;

    std::int32_t texture = kNoTexture;  ///< in TexturedMesh::textures
    Wrap across = Wrap::repeat;
    Wrap up = Wrap::repeat;
    glm::mat2 turn{1.0F};  ///< the place in the texture is turn · coordinate + move
    glm::vec2 move{0.0F};
};

/// The opacities of a material: always 1, cut to 0 or 1, or any.
enum class Opacity : std::uint8_t { opaque, mask, blend };

/// A face's appearance: the product of these values, its texture and its vertices' tints. Colours
/// multiply in linear light.
struct Material {
    glm::vec3 colour{1.0F};  ///< sRGB-encoded, 0…1
    float opacity = 1;       ///< 0…1, times the texture's alpha
    TextureMap map{};
    TextureMap opacityMap{};  ///< whose alpha counts instead of that of `map`, where there is one
    Opacity kind = Opacity::opaque;
    float cutoff = 0.5F;  ///< of masks: from here on 1
    bool unlit = false;   ///< shown without shading
};

/// What the surface of a mesh looks like.
struct MeshLook {
    /// As many as faces, kNoMaterial where a face has none; or empty.
    std::vector<std::uint32_t> materialOfFace;
    std::vector<Material> materials;
    /// Three for each face: (0, 0) is the texture's lower left corner, (1, 1) the upper right one.
    /// Empty where no face has any.
    std::vector<glm::vec2> coordinates;
    /// As many as vertices, or none: linear colour and opacity, 0…1, of faces with a material.
    std::vector<glm::vec4> tints;
    std::vector<Image> textures;
    /// One line for each material or texture that is named and could not be read.
    std::vector<std::string> missing;
    /// The first of them that lies outside the mesh's folder.
    std::optional<ErrorReport> outside;
};

struct TexturedMesh : MeshLook {
    MeshFile mesh;
};

/// readMesh(), and of an OBJ the material libraries beside it with their textures (Kd, map_Kd, d,
/// Tr, map_d; textures with their alpha), of a GLB or glTF its base colours with textures, alpha
/// modes and vertex colours. What of those is missing, broken, in an unknown format, larger than
/// a file of this size should hold or outside the mesh's folder is listed as missing. Throws as
/// readMesh().
TexturedMesh readTexturedMesh(const std::filesystem::path& file, const MeshReading& reading = {});

/// The same of a file in memory; `subject` names it, and `files` gives the files that it names.
TexturedMesh decodeTexturedMesh(std::span<const std::byte> bytes,
                                const std::filesystem::path& subject, const MeshReading& reading,
                                const NamedFiles& files);

}  // namespace threefold
