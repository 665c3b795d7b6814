#pragma once

#include <array>
#include <span>
#include <string_view>

#include <glm/vec3.hpp>

namespace threefold::render {

/// Perceptually uniform maps from 0…1 to colour.
enum class ColourMap {
    viridis,
    inferno,
    cividis,   ///< looks nearly the same with and without red-green colour blindness
    coolWarm,  ///< diverging: blue, light grey in the middle, red
};
inline constexpr std::array kColourMaps{ColourMap::viridis, ColourMap::inferno, ColourMap::cividis,
                                        ColourMap::coolWarm};

/// Lower-case name, as in settings and reports.
std::string_view colourMapName(ColourMap map);

/// 256 entries, sRGB-encoded 0…1.
std::span<const glm::vec3> colourTable(ColourMap map);

/// Interpolates the encoded values of the table linearly; `t` is clamped to 0…1, NaN counts as 0.
/// The renderer lights this colour and lifts its dark end so that shapes stay readable.
glm::vec3 colourAt(ColourMap map, float t);

}  // namespace threefold::render
