#include "render/colour_map.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <glm/common.hpp>

#include "render/colour_tables.h"

namespace threefold::render {

std::string_view colourMapName(ColourMap map) {
    switch (map) {
        case ColourMap::viridis:
            return "viridis";
        case ColourMap::inferno:
            return "inferno";
        case ColourMap::cividis:
            return "cividis";
        case ColourMap::coolWarm:
            return "cool-warm";
    }
    return "";
}

std::span<const glm::vec3> colourTable(ColourMap map) {
    switch (map) {
        case ColourMap::viridis:
            return kViridis;
        case ColourMap::inferno:
            return kInferno;
        case ColourMap::cividis:
            return kCividis;
        case ColourMap::coolWarm:
            return kCoolWarm;
    }
    return kViridis;
}

glm::vec3 colourAt(ColourMap map, float t) {
    const std::span<const glm::vec3> table = colourTable(map);
    // Written so that NaN ends at the lowest entry instead of at an undefined conversion.
    const float inside = t > 0.0F ? std::min(t, 1.0F) : 0.0F;
    const float place = inside * static_cast<float>(table.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, table.size() - 1);
    return glm::mix(table[below], table[above], place - static_cast<float>(below));
}

}  // namespace threefold::render
