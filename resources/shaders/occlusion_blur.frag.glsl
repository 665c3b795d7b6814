#version 450
#extension GL_GOOGLE_include_directive : require
#include "occlusion.glsl"

// Fraction of the ambient light that a pixel loses: the occlusion around it, blurred over the same
// surface only. A pixel whose middle lies beside a surface takes the value next to it, because its
// other samples may lie on the surface.
layout(location = 0) out vec4 pixel;

// Four by four pixels hold every turn of the spiral once.
const int kBegin = -2, kEnd = 2;

void main() {
    const ivec2 here = ivec2(gl_FragCoord.xy);
    const float away = distanceAt(here);
    float sum = 0.0, weights = 0.0;
    for (int y = kBegin; y < kEnd; ++y) {
        for (int x = kBegin; x < kEnd; ++x) {
            const ivec2 there = here + ivec2(x, y);
            const float other = distanceAt(there);
            if (other <= 0.0) continue;
            const float step = away > 0.0 ? abs(other - away) : 0.0;
            const float weight = max(0.0, 1.0 - 4.0 * step / pane.radius);
            sum += weight * texelFetch(occludedFractions, inPane(there), 0).r;
            weights += weight;
        }
    }
    pixel = vec4(pane.strength * sum / max(weights, 1e-6), 0.0, 0.0, 1.0);
}
