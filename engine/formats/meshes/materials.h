#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "engine/formats/bytes/named_files.h"

namespace threefold {

struct MeshLook;

/// A texture as a material library names it.
struct NamedTexture {
    std::string file;        ///< as written, without options; empty: none
    glm::vec2 scale{1.0F};   ///< -s: what coordinates are multiplied with
    glm::vec2 offset{0.0F};  ///< -o: what is added then
    bool clamps = false;     ///< -clamp on: does not repeat
    char channel = '\0';     ///< -imfchan: r, g, b, m (alpha), l (luminance) or z
};

/// One material's appearance seen face-on, from a material library (.mtl); everything else is left
/// out.
struct NamedMaterial {
    glm::vec3 diffuse{1.0F};      ///< Kd as written, assumed sRGB-encoded, 0…1
    float opacity = 1;            ///< d, else 1 − Tr, 0…1
    NamedTexture texture;         ///< map_Kd
    NamedTexture opacityTexture;  ///< map_d
};

/// The text after newmtl or usemtl as one name: no blanks around it, one each inside, as
/// oneLine() writes it.
std::string materialName(std::string_view rest);

/// By name; of several of one name the last counts. Read by tinyobjloader, material by material:
/// its own take 4 kB each. A pass before it writes statements as it reads them rightly, and leaves
/// out those that are not needed. Values that are no numbers become 0, unknown statements are
/// skipped: real libraries have many of both. Statements may be in any case. `Tr 1` without `d`
/// counts as opaque: half of the programs that write it mean that.
std::map<std::string, NamedMaterial> parseMaterials(std::string_view text);

/// Replaces the numbers of `names` in `look.materialOfFace` by those of materials, which it reads
/// from the libraries, with their textures; the first name means none. Files that cannot be read,
/// or are beyond `reach`, go to `look.missing`.
void addMaterials(std::span<const std::string> libraries, std::span<const std::string> names,
                  const std::filesystem::path& folder, const NamedFiles& files, Reach reach,
                  MeshLook& look);

/// Replaces the numbers in `look.materialOfFace`, of these files, by those of materials with the
/// files as textures. Files that cannot be read, or are beyond `reach`, go to `look.missing`.
void addTextures(std::span<const std::string> textures, const std::filesystem::path& folder,
                 const NamedFiles& files, Reach reach, MeshLook& look);

}  // namespace threefold
