#include "engine/formats/materials.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <sstream>
#include <vector>

#include <tiny_obj_loader.h>

#include "engine/formats/byte_cursor.h"
#include "engine/formats/file_bytes.h"

namespace threefold {
namespace {

constexpr std::uintmax_t kLargestLibrary = std::uintmax_t{16} << 20;

float share(float value) {
    return std::isfinite(value) ? std::clamp(value, 0.0F, 1.0F) : 0.0F;
}

}  // namespace

std::map<std::string, NamedMaterial> parseMaterials(std::string_view text) {
    std::istringstream stream{std::string(text)};
    std::map<std::string, int> numbers;
    std::vector<tinyobj::material_t> read;
    std::string warnings;
    std::string errors;
    tinyobj::LoadMtl(&numbers, &read, &stream, &warnings, &errors);
    std::map<std::string, NamedMaterial> materials;
    for (const tinyobj::material_t& each : read)
        materials[each.name] = {
            {share(each.diffuse[0]), share(each.diffuse[1]), share(each.diffuse[2])},
            each.diffuse_texname};
    return materials;
}

std::map<std::string, NamedMaterial> readMaterials(const std::filesystem::path& file) {
    return parseMaterials(asText(readFile(file, kLargestLibrary)));
}

}  // namespace threefold
