// Included by both shaders of the ambient occlusion: the depth of one pane's opaque surfaces.
#extension GL_GOOGLE_include_directive : require
#include "shared.h"

layout(push_constant) uniform Pane { OcclusionConstants pane; };
layout(set = 0, binding = kDepthBinding) uniform sampler2D depths;
layout(set = 0, binding = kOccludedBinding) uniform sampler2D occludedFractions;

ivec2 inPane(ivec2 pixel) {
    return clamp(pixel, ivec2(pane.seenBegin), ivec2(pane.seenEnd) - 1);
}

// Distance along the line of sight; 0 where no surface is.
float distanceAt(ivec2 pixel) {
    const float depth = texelFetch(depths, inPane(pixel), 0).r;
    return depth < 1.0 ? pane.nearPlane / (1.0 - depth) : 0.0;
}

// A pixel's point in camera space; `away`: its distance along the line of sight.
vec3 pointAt(ivec2 pixel, float away) {
    const vec2 offset = vec2(inPane(pixel)) + 0.5 - pane.centre;
    return vec3(2.0 * offset / pane.wholeSize / pane.projection * away, -away);
}
