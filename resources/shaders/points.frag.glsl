#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "lighting.glsl"
#include "base_colour.glsl"
#include "cut.glsl"

layout(location = 0) in vec3 viewPosition;
layout(location = 1) in vec3 viewNormal;
layout(location = 2) in vec2 valueAndKnown;
layout(location = 0) out vec4 pixel;

const float kFarFraction = 0.22;  // fraction of its colour that the farthest point keeps

void main() {
    cutOff();
    if (has(kOutline)) {
        pixel = vec4(toEncoded(layer.surface), 1.0);
        return;
    }
    if (has(kByValue) || has(kByColour)) {
        // Points coloured by values have the legend's colours at every depth.
        pixel = vec4(toEncoded(unlitColour(valueAndKnown, viewNormal)), layer.opacity);
        return;
    }
    const vec3 base = apartFromBackground(baseColour(valueAndKnown, viewNormal));
    const vec3 toCamera = normalize(-viewPosition);
    const float size = length(viewNormal);
    vec3 normal = size > 0.0 ? viewNormal / size : toCamera;
    if (dot(normal, toCamera) < 0.0) normal = -normal;
    const vec3 shaded = lit(base, normal, toCamera, 1.0);

    // Nothing hides the far side of a cloud: far points fade to show depth.
    const float span = max(layer.depthRange.y - layer.depthRange.x, 1e-12);
    const float depth = clamp((-viewPosition.z - layer.depthRange.x) / span, 0.0, 1.0);
    const float fraction = mix(1.0, kFarFraction, smoothstep(0.15, 0.85, depth));
    pixel = vec4(toEncoded(mix(background(), shaded, fraction)), layer.opacity);
}
