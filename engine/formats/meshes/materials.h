#pragma once

#include <map>
#include <string>
#include <string_view>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

namespace threefold {

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
/// mean just that, and nobody a thing that cannot be seen.
std::map<std::string, NamedMaterial> parseMaterials(std::string_view text);

}  // namespace threefold
