#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "engine/formats/files/referenced_files.h"
#include "engine/formats/meshes/mesh_appearance.h"

namespace threefold {

/// Texture named in a material library.
struct NamedTexture {
    std::string file;        ///< as written, without options; empty: none
    glm::vec2 scale{1.0F};   ///< -s: factor of coordinates
    glm::vec2 offset{0.0F};  ///< -o: added after scaling
    bool isClamped = false;  ///< -clamp on: not repeated
    char channel = '\0';     ///< -imfchan: r, g, b, m (alpha), l (luminance) or z
};

/// Diffuse colour and opacity of a material of a library (.mtl); other statements are dropped.
struct NamedMaterial {
    glm::vec3 diffuse{1.0F};      ///< Kd as written, assumed sRGB-encoded, 0…1
    float opacity = 1;            ///< d, else 1 − Tr, 0…1
    NamedTexture texture;         ///< map_Kd
    NamedTexture opacityTexture;  ///< map_d
};

/// Normalises the text after newmtl or usemtl to one name: trimmed, single blanks inside, and
/// asTinyobjloaderLine().
std::string materialName(std::string_view rest);

/// Parses a material library. Returns materials by name; of several with one name, the last.
/// Statements are rewritten so that tinyobjloader reads them correctly, and dropped if not needed.
/// tinyobjloader gets one material at a time, because each tinyobj::material_t takes 4 kB. Values
/// of Kd that are no numbers become 0 and unknown statements are skipped, because real libraries
/// have many of both. Case of statements is ignored. `Tr 1` without `d` counts as opaque: half of
/// the programs that write it mean opaque.
std::map<std::string, NamedMaterial> parseMaterials(std::string_view text);

/// Replaces the indices into `names` that `appearance.materialOfFace` holds by indices of
/// materials. Reads the materials and their textures from the libraries; an empty name means no
/// material. Lists files that cannot be read, or are outside the `allowed` folders, in
/// `appearance.missing`.
void addMaterials(std::span<const std::string> libraries, std::span<const std::string> names,
                  const std::filesystem::path& folder, const ReferencedFiles& files,
                  AllowedFolders allowed, MeshAppearance& appearance);

/// Replaces the indices into `textures` that `appearance.materialOfFace` holds by indices of
/// materials with these textures. Lists files that cannot be read, or are outside the `allowed`
/// folders, in `appearance.missing`.
void addTextures(std::span<const std::string> textures, const std::filesystem::path& folder,
                 const ReferencedFiles& files, AllowedFolders allowed, MeshAppearance& appearance);

}  // namespace threefold
