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
    std::string file;        ///< as it stands, without options; empty: none
    glm::vec2 scale{1.0F};   ///< -s: what coordinates are multiplied with
    glm::vec2 offset{0.0F};  ///< -o: what is added then
    bool clamps = false;     ///< -clamp on: does not repeat
    char channel = '\0';     ///< -imfchan: r, g, b, m (alpha), l (luminance) or z
};

/// What a material library (.mtl) says about how one material looks face-on; everything else is
/// left out.
struct NamedMaterial {
    glm::vec3 diffuse{1.0F};      ///< Kd as it stands, taken for sRGB-encoded, 0…1
    float opacity = 1;            ///< d, else 1 − Tr, 0…1
    NamedTexture texture;         ///< map_Kd
    NamedTexture opacityTexture;  ///< map_d
};

/// What newmtl and usemtl are followed by, as one name: no blanks around it, one each inside.
std::string materialName(std::string_view rest);

/// By name; of several of one name the last counts. Values that are no numbers become 0, unknown
/// statements are passed over: libraries in the wild are full of both. Statements may be in any
/// case. `Tr 1` counts as opaque where no `d` stands beside it: half of the programs that write it
/// mean that.
std::map<std::string, NamedMaterial> parseMaterials(std::string_view text);

/// Replaces the numbers of `names` in `look.materialOfFace` by those of materials, which it reads
/// from the libraries, with their textures; the first name stands for none. What cannot be read, or
/// is beyond `reach`, goes to `look.missing`.
void addMaterials(std::span<const std::string> libraries, std::span<const std::string> names,
                  const std::filesystem::path& folder, const NamedFiles& files, Reach reach,
                  MeshLook& look);

}  // namespace threefold
