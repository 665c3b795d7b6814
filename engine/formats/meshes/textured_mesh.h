#pragma once

#include <cstddef>
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

/// Which opacities there are: always 1, cut to 0 or 1, or as they come.
enum class Opacity : std::uint8_t { opaque, mask, blend };

/// What a face looks like: the product of what is said here, by its texture and by its vertices'
/// tints. Colours multiply in linear light.
struct Material {
    glm::vec3 colour{1.0F};  ///< sRGB-encoded, 0…1
    float opacity = 1;       ///< 0…1, times the texture's alpha
    TextureMap map{};
    TextureMap opacityMap{};  ///< whose alpha counts instead of that of `map`, where there is one
    Opacity kind = Opacity::opaque;
    float cutoff = 0.5F;  ///< of masks: from here on 1
    bool unlit = false;   ///< shown as it is, whatever the light
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

/// The same of a file in memory; `subject` stands for it, and what it names is asked of `files`.
TexturedMesh decodeTexturedMesh(std::span<const std::byte> bytes,
                                const std::filesystem::path& subject, const MeshReading& reading,
                                const NamedFiles& files);

}  // namespace threefold
