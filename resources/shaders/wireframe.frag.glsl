#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "lighting.glsl"
#include "base_colour.glsl"
#include "cut.glsl"
#include "facing.glsl"
#include "edges.glsl"

layout(location = 0) in vec3 viewPosition;
layout(location = 1) in vec3 viewNormal;
layout(location = 2) in vec2 valueAndKnown;
layout(location = 0) out vec4 pixel;

const float kFillShare = 0.05;
const float kHalfWidth = 0.35;  // logical pixels

void main() {
    cutOff();
    const vec3 base = apartFromBackground(surfaceColour(valueAndKnown, viewNormal));
    const vec3 normal = facingNormal(viewNormal, viewPosition);
    const vec3 shaded = lit(base, normal, normalize(-viewPosition), 1.0);
    const vec3 fill = mix(background(), shaded, kFillShare);
    const float coverage = edgeCoverage(kHalfWidth);
    // The fill only hides what is behind the lines, so it fades out long before they do.
    const float seen = layer.opacity * layer.opacity;
    const float opacity = mix(seen * seen, layer.opacity, coverage);
    pixel = vec4(toEncoded(mix(fill, mix(base, shaded, 0.5), coverage)), opacity);
}
