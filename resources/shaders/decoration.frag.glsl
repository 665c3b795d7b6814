#version 450
#extension GL_GOOGLE_include_directive : require
#include "shared.h"

layout(push_constant) uniform Shape { DecorationConstants shape; };

layout(location = 0) out vec4 pixel;

// Fraction of the pixel that a shape covers. `distance`: from the pixel's middle to the shape's edge,
// in pixels, negative inside.
float covered(float distance) { return clamp(0.5 - distance, 0.0, 1.0); }

void main() {
    const float c = cos(shape.angle), s = sin(shape.angle);
    const vec2 away = gl_FragCoord.xy - shape.centre;
    const vec2 along = vec2(c * away.x + s * away.y, c * away.y - s * away.x);
    const vec2 from = abs(along) - (shape.halfSize - shape.corner);
    const float box = length(max(from, 0.0)) + min(max(from.x, from.y), 0.0) - shape.corner;
    const float distance = shape.halfWidth > 0.0 ? abs(box) - shape.halfWidth : box;
    const float inner = covered(distance) * shape.colour.a;
    const float around = covered(distance - shape.outlineWidth) * shape.outline.a * (1.0 - inner);
    const float alpha = inner + around;
    if (alpha <= 0.0) discard;
    pixel = vec4((shape.colour.rgb * inner + shape.outline.rgb * around) / alpha, alpha);
}
