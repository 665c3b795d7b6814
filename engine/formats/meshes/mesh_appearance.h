#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <glm/mat2x2.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "engine/error.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/pictures/image.h"

namespace threefold {

class ReferencedFiles;

inline constexpr std::uint32_t kNoMaterial = UINT32_MAX;

/// Continuation of a texture beyond its borders.
enum class Wrap : std::uint8_t { repeat, mirror, clamp };

/// Texture of a material, and its mapping.
struct TextureMap {
    static constexpr std::int32_t kNoTexture = -1;

    std::int32_t texture = kNoTexture;  ///< index in MeshAppearance::textures
    Wrap wrapS = Wrap::repeat;
    Wrap wrapT = Wrap::repeat;
    glm::mat2 uvTransform{1.0F};  ///< position in the texture = uvTransform · coordinate + uvOffset
    glm::vec2 uvOffset{0.0F};
};

/// Opacity of a material (glTF's alphaMode): always 1, thresholded to 0 or 1, or any value.
enum class AlphaMode : std::uint8_t { opaque, mask, blend };

/// Appearance of faces: the product of these values, the texture and the vertices' colours. Colours
/// multiply in linear light.
struct Material {
    glm::vec3 colour{1.0F};  ///< sRGB-encoded, 0…1
    float opacity = 1;       ///< 0…1, times the texture's alpha
    TextureMap map{};
    TextureMap opacityMap{};  ///< its alpha, if present, replaces the alpha of `map`
    AlphaMode alphaMode = AlphaMode::opaque;
    float alphaCutoff = 0.5F;  ///< of AlphaMode::mask: minimum alpha that counts as 1
    bool isUnlit = false;      ///< shown without shading
};

/// Materials of a mesh's faces, with the texture coordinates and vertex colours for them.
struct FaceMaterials {
    /// Material index of each face, kNoMaterial for none; or empty.
    std::vector<std::uint32_t> materialOfFace;
    std::vector<Material> materials;
    /// Texture coordinates, three for each face: (0, 0) is the texture's lower left corner, (1, 1)
    /// the upper right one. Empty if no face has any.
    std::vector<glm::vec2> textureCoordinates;
    /// Linear colour and opacity of each vertex, 0…1, for faces with a material; or empty.
    std::vector<glm::vec4> linearColours;
};

/// Appearance of a mesh's surface.
struct MeshAppearance : FaceMaterials {
    std::vector<Image> textures;
    /// One line for each named material or texture that could not be read.
    std::vector<std::string> missing;
    /// Report of the first file outside the mesh's folder.
    std::optional<ErrorReport> outsideFolderError;
};

/// Mesh with its appearance.
struct TexturedMesh {
    LoadedMesh mesh;
    MeshAppearance appearance;
};

/// Reads a mesh as readMesh() does, and its appearance: for an OBJ the material libraries beside it
/// with their textures (Kd, map_Kd, d, Tr, map_d; textures with their alpha), for a PLY its
/// textures, for a GLB or glTF the base colours with textures, alpha modes and vertex colours.
/// Lists in MeshAppearance::missing whatever is absent, broken, in an unknown format, too large (a
/// library of over 16 MB, a picture with more pixels than its file's size allows), or outside the
/// mesh's folder. Throws as readMesh() does.
TexturedMesh readTexturedMesh(const std::filesystem::path& file,
                              const MeshReadOptions& options = {});

/// Decodes a textured mesh from memory; `subject` names the mesh in errors, and `files` provides
/// the files that the mesh refers to. Throws as readMesh() does.
TexturedMesh decodeTexturedMesh(std::span<const std::byte> bytes,
                                const std::filesystem::path& subject,
                                const MeshReadOptions& options, const ReferencedFiles& files);

}  // namespace threefold
