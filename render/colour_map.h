#pragma once

#include <array>
#include <span>
#include <string_view>

#include <glm/vec3.hpp>

namespace threefold::render {

/// Scale on which values are spread over a colour map.
enum class ValueScale { linear, logarithmic };

/// Perceptually uniform maps from 0…1 to colour.
enum class ColourMap {
    viridis,
    inferno,
    cividis,   ///< looks nearly the same with and without red-green colour blindness
    coolWarm,  ///< diverging: blue, light grey in the middle, red
};
inline constexpr std::array kAllColourMaps{ColourMap::viridis, ColourMap::inferno,
                                           ColourMap::cividis, ColourMap::coolWarm};

/// Lower-case name of a colour map, as in settings and reports.
std::string_view colourMapName(ColourMap map);

/// Table of a colour map: 256 entries, sRGB-encoded 0…1.
std::span<const glm::vec3> colourTable(ColourMap map);

/// Colour at `t`, interpolated linearly between the encoded entries of the table; `t` is clamped to
/// 0…1, NaN counts as 0. The renderer lights this colour and lifts its dark end so that shapes stay
/// readable.
glm::vec3 colourAt(ColourMap map, float t);

/// Maps values to colours.
struct ColourScale {
    ColourMap map = ColourMap::inferno;
    ValueScale scale = ValueScale::linear;
    float min = 0.0F;   ///< logarithmic: above 0
    float max = 0.02F;  ///< values beyond either end are clamped
};

/// Packs an sRGB-encoded colour, clamped to 0…1, into one number: 0xRRGGBB, which a float holds
/// exactly.
float packedColour(glm::vec3 colour);

}  // namespace threefold::render
