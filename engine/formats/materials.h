#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include <glm/vec3.hpp>

namespace threefold {

/// What a material library (.mtl) says about one material's colour; everything else is left out.
struct NamedMaterial {
    glm::vec3 diffuse{1.0F};  ///< Kd as it stands, taken for sRGB-encoded, 0…1
    std::string texture;      ///< map_Kd as it stands, without its options; empty: none
};

/// By name. Values that are no numbers become 0, unknown statements are passed over: libraries in
/// the wild are full of both.
std::map<std::string, NamedMaterial> parseMaterials(std::string_view text);
/// Throws IoError.
std::map<std::string, NamedMaterial> readMaterials(const std::filesystem::path& file);

}  // namespace threefold
