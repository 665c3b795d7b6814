// Inputs of fragment shaders that paint_out.glsl writes.
#include "value_buffers.glsl"

layout(location = 4) in vec3 vertexColour;
layout(location = 5) centroid in vec2 texturePosition;

// Colour in linear light, weighted by alpha, and alpha.
vec4 texel(ivec2 position) {
    const ivec2 size = ivec2(textureWords[kTextureWidth], textureWords[kTextureHeight]);
    const ivec2 inside = clamp(position, ivec2(0), size - 1);
    const uint pixel = textureWords[kTexturePixels] + uint(inside.y * size.x + inside.x);
    const vec4 stored = unpackUnorm4x8(textureWords[pixel]);
    return vec4(toLinear(stored.rgb) * stored.a, stored.a);
}

// Bilinear. Where the texture is transparent, the plain surface shows.
vec3 textureColour() {
    const vec2 position = texturePosition - 0.5;
    const ivec2 first = ivec2(floor(position));
    const vec2 fraction = position - vec2(first);
    const vec4 above = mix(texel(first), texel(first + ivec2(1, 0)), fraction.x);
    const vec4 below = mix(texel(first + ivec2(0, 1)), texel(first + ivec2(1, 1)), fraction.x);
    const vec4 colour = mix(above, below, fraction.y);
    return colour.rgb + (1.0 - colour.a) * layer.surface;
}
