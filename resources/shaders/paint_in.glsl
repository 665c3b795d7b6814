// The fragment's side of paint_out.glsl.
#include "value_buffers.glsl"

layout(location = 4) in vec3 vertexColour;
layout(location = 5) centroid in vec2 texturePlace;

// Colour in linear light, weighted by alpha, and alpha.
vec4 texel(ivec2 place) {
    const ivec2 size = ivec2(textureWords[kTextureWidth], textureWords[kTextureHeight]);
    const ivec2 inside = clamp(place, ivec2(0), size - 1);
    const uint pixel = textureWords[kTexturePixels] + uint(inside.y * size.x + inside.x);
    const vec4 stored = unpackUnorm4x8(textureWords[pixel]);
    return vec4(toLinear(stored.rgb) * stored.a, stored.a);
}

// Bilinear. Where the texture is transparent, the plain surface shows.
vec3 textureColour() {
    const vec2 place = texturePlace - 0.5;
    const ivec2 first = ivec2(floor(place));
    const vec2 share = place - vec2(first);
    const vec4 above = mix(texel(first), texel(first + ivec2(1, 0)), share.x);
    const vec4 below = mix(texel(first + ivec2(0, 1)), texel(first + ivec2(1, 1)), share.x);
    const vec4 colour = mix(above, below, share.y);
    return colour.rgb + (1.0 - colour.a) * layer.surface;
}
