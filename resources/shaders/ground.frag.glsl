#version 450
#extension GL_GOOGLE_include_directive : require
#include "shared.h"

layout(push_constant) uniform Layer { GroundConstants layer; };

layout(location = 0) in vec2 away;
layout(location = 0) out vec4 pixel;

const float kHalfWidth = 0.3;  // logical pixels

void main() {
    const vec2 place = away / layer.spacing;
    const vec2 perPixel = max(fwidth(place), vec2(1e-6));
    const vec2 distance = abs(fract(place - 0.5) - 0.5) / perPixel;
    // Lines that would fill the pixels between them fade.
    const vec2 apart = 1.0 - smoothstep(vec2(0.1), vec2(0.4), perPixel);
    const vec2 lines = clamp(kHalfWidth * layer.pixelRatio + 0.5 - distance, 0.0, 1.0) * apart;
    const float near = 1.0 - smoothstep(0.3, 1.0, length(away) / layer.radius);
    const float share = max(lines.x, lines.y) * near;
    if (share <= 0.0) discard;
    pixel = vec4(layer.colour, share);
}
