#version 450
#extension GL_GOOGLE_include_directive : require
#include "shared.h"

layout(push_constant) uniform Layer { GroundConstants layer; };

layout(location = 0) in vec2 away;
layout(location = 0) out vec4 pixel;

const float kHalfWidth = 0.3;  // logical pixels

void main() {
    const vec2 position = away / layer.spacing;
    const vec2 perPixel = max(fwidth(position), vec2(1e-6));
    const vec2 distance = abs(fract(position - 0.5) - 0.5) / perPixel;
    // Fades lines that are so dense that they would fill the picture.
    const vec2 apart = 1.0 - smoothstep(vec2(0.1), vec2(0.4), perPixel);
    const vec2 lines = clamp(kHalfWidth * layer.pixelRatio + 0.5 - distance, 0.0, 1.0) * apart;
    const float near = 1.0 - smoothstep(0.3, 1.0, length(away) / layer.radius);
    const float alpha = max(lines.x, lines.y) * near;
    if (alpha <= 0.0) discard;
    pixel = vec4(layer.colour, alpha);
}
