#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "lighting.glsl"
#include "base_colour.glsl"
#include "facing.glsl"

layout(location = 0) in vec3 viewPosition;
layout(location = 1) in vec3 viewNormal;
layout(location = 2) in vec2 valueAndKnown;
layout(location = 3) noperspective in vec3 corners;
layout(location = 0) out vec4 pixel;

const float kFillShare = 0.05;
const float kHalfWidth = 0.35;  // logical pixels on either side of an edge
const float kDenseHeight = 5.0;  // logical pixels; lower triangles fade, or all would be line

void main() {
    const vec3 base = baseColour(valueAndKnown.x, valueAndKnown.y);
    const vec3 normal = facingNormal(viewNormal, viewPosition);
    const vec3 shaded = lit(base, normal, normalize(-viewPosition));
    const vec3 fill = mix(pane.background, shaded, kFillShare);

    // A corner's coordinate is 0 on the edge across and falls by one over the triangle's height.
    const vec3 across = dFdx(corners), along = dFdy(corners);
    const vec3 perPixel = max(sqrt(across * across + along * along), vec3(1e-6));
    const vec3 distances = corners / perPixel;
    const float nearest = min(distances.x, min(distances.y, distances.z));
    const float lowest = 1.0 / max(perPixel.x, max(perPixel.y, perPixel.z));

    const float line = clamp(kHalfWidth * pane.pixelRatio + 0.5 - nearest, 0.0, 1.0);
    const float fade = clamp(lowest / (kDenseHeight * pane.pixelRatio), 0.25, 1.0);
    const vec3 edge = mix(base, shaded, 0.5);
    pixel = vec4(toEncoded(mix(fill, edge, line * fade)), 1.0);
}
