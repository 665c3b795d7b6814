#include "render/colour_map.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <glm/common.hpp>

#include "resources/shaders/shared.h"

namespace threefold::render {
namespace {

using Table = std::array<glm::vec3, shared::kColourTableSize>;

const Table kViridis{{
#include "resources/colour_maps/viridis.inl"
}};
const Table kInferno{{
#include "resources/colour_maps/inferno.inl"
}};
const Table kCividis{{
#include "resources/colour_maps/cividis.inl"
}};
const Table kCoolWarm{{
#include "resources/colour_maps/cool_warm.inl"
}};

struct NamedTable {
    ColourMap map;
    std::string_view name;
    const Table& table;
};

const NamedTable& find(ColourMap map) {
    static const NamedTable tables[] = {{ColourMap::viridis, "viridis", kViridis},
                                        {ColourMap::inferno, "inferno", kInferno},
                                        {ColourMap::cividis, "cividis", kCividis},
                                        {ColourMap::coolWarm, "cool-warm", kCoolWarm}};
    return *std::ranges::find(tables, map, &NamedTable::map);
}

}  // namespace

std::string_view colourMapName(ColourMap map) {
    return find(map).name;
}

std::span<const glm::vec3> colourTable(ColourMap map) {
    return find(map).table;
}

glm::vec3 colourAt(ColourMap map, float t) {
    const std::span<const glm::vec3> table = colourTable(map);
    // NaN must give the lowest entry, not an undefined conversion.
    const float clamped = t > 0.0F ? std::min(t, 1.0F) : 0.0F;
    const float position = clamped * static_cast<float>(table.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, table.size() - 1);
    return glm::mix(table[below], table[above], position - static_cast<float>(below));
}

float packedColour(glm::vec3 colour) {
    const auto byteOf = [](float channel) {
        // NaN must give 0, not an undefined conversion.
        return channel > 0.0F ? std::round(255.0F * std::min(channel, 1.0F)) : 0.0F;
    };
    return 65536.0F * byteOf(colour.x) + 256.0F * byteOf(colour.y) + byteOf(colour.z);
}

}  // namespace threefold::render
