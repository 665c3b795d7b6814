// Colour of a surface point before lighting, in linear light.
#include "paint_in.glsl"

layout(set = kMeshSet, binding = kColourTableBinding, std140) uniform ColourTable {
    vec4 colourTable[kColourMapCount * kColourTableSize];
};

const vec3 kUnknown = vec3(0.153);  // a neutral grey where there is no value
// Lifts the dark end of a map a little: light on pure black would not show the shape.
const vec3 kLift = vec3(0.012);

// Position of a value in the range: exactly 0 and 1 at its ends. In an empty range every value is
// at 0.
float fractionOfRange(float value) {
    if (!(value > layer.minValue) || !(layer.maxValue > layer.minValue)) return 0.0;
    if (value >= layer.maxValue) return 1.0;
    if (has(kLogarithmic)) return log(value / layer.minValue) / log(layer.maxValue / layer.minValue);
    return (value - layer.minValue) / (layer.maxValue - layer.minValue);
}

vec3 mapColour(float value) {
    const float position = fractionOfRange(value) * float(kColourTableSize - 1u);
    const uint below = min(uint(position), kColourTableSize - 2u);
    const uint first = (layer.mapAndColumn & kMapMask) * kColourTableSize + below;
    return mix(colourTable[first].rgb, colourTable[first + 1u].rgb, position - float(below));
}

// Colour as the legend shows it. `valueAndKnown`: the value, and 1 where every vertex that
// contributes to the value has one. The value was interpolated, not its colour: a triangle across
// the whole range shows the whole map.
vec3 unlitColour(vec2 valueAndKnown, vec3 viewNormal) {
    if (has(kByNormal)) {
        const float size = length(viewNormal);
        if (!(size > 0.0)) return kUnknown;
        return toLinear(0.5 + 0.5 * turnToWorld(viewNormal / size));
    }
    if (has(kByTexture)) return texturePosition.x < 0.0 ? layer.surface : textureColour();
    if (has(kByColour)) return valueAndKnown.y < 0.999 ? layer.surface : vertexColour;
    if (!has(kByValue)) return layer.surface;
    if (valueAndKnown.y < 0.999) return kUnknown;
    return mapColour(valueAndKnown.x);
}

vec3 baseColour(vec2 valueAndKnown, vec3 viewNormal) {
    const vec3 unlit = unlitColour(valueAndKnown, viewNormal);
    return has(kByValue) ? kLift + unlit : unlit;
}

// Base colour of a surface, whose back may have a colour of its own.
vec3 surfaceColour(vec2 valueAndKnown, vec3 viewNormal) {
    if (has(kBackfaces) && !gl_FrontFacing) return vec3(0.58, 0.15, 0.03);
    return baseColour(valueAndKnown, viewNormal);
}

// Plain lines and points are light, for a dark background; on a light background they are darkened
// to stay visible. Colours of values and normals never change.
vec3 apartFromBackground(vec3 colour) {
    if (has(kByValue) || has(kByNormal) || has(kByColour) || has(kUnlit)) return colour;
    const float light = dot(background(), vec3(0.2126, 0.7152, 0.0722));
    return mix(colour, 0.3 * colour, smoothstep(0.2, 0.6, light));
}
