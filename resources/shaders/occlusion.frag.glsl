#version 450
#extension GL_GOOGLE_include_directive : require
#include "occlusion.glsl"

// Fraction of the sky that the surroundings of a surface point hide, 0 to 1. Takes samples on a
// spiral around the pixel: samples that are nearer, or higher above the surface, hide more.
layout(location = 0) out vec4 pixel;

const int kTaps = 14;
const float kTurns = 5.0;
const float kSlant = 0.004;  // fraction of the distance; lower rises count as the surface's own curvature
const float kGain = 10.0;

// How far a pixel is off the plane through the next two pixels, as a difference of 1 / distance, which is
// linear in the picture on a plane.
float offPlane(float away, float next, float beyond) {
    if (next <= 0.0 || beyond <= 0.0) return 1e30;
    return abs(2.0 / next - 1.0 / beyond - 1.0 / away);
}

// Vector to the neighbour on the side where the same surface continues.
vec3 slope(ivec2 here, ivec2 step, vec3 point) {
    const float away = -point.z;
    const float after = distanceAt(here + step), before = distanceAt(here - step);
    const float offAfter = offPlane(away, after, distanceAt(here + 2 * step));
    const float offBefore = offPlane(away, before, distanceAt(here - 2 * step));
    if (before <= 0.0 || (after > 0.0 && offAfter < offBefore)) {
        return pointAt(here + step, after) - point;
    }
    return point - pointAt(here - step, before);
}

void main() {
    pixel = vec4(0.0, 0.0, 0.0, 1.0);
    const ivec2 here = ivec2(gl_FragCoord.xy);
    const float away = distanceAt(here);
    if (away <= 0.0) return;
    const vec3 point = pointAt(here, away);
    vec3 normal = cross(slope(here, ivec2(1, 0), point), slope(here, ivec2(0, 1), point));
    const float size = length(normal);
    if (!(size > 0.0)) return;
    normal /= dot(normal, point) > 0.0 ? -size : size;

    const float perPixel = 2.0 * away / (abs(pane.projection.y) * pane.wholeSize.y);
    const float reach = min(pane.radius / perPixel, pane.maxPixels);
    if (reach < 2.0) return;
    const float radius = reach * perPixel;
    // Each of 4 × 4 neighbours turns the spiral differently; the blur averages them.
    const ivec2 cell = (here + ivec2(pane.origin)) & 3;
    const float turn = float((7 * (cell.x + 4 * cell.y)) & 15) / 16.0;
    float sum = 0.0;
    for (int i = 0; i < kTaps; ++i) {
        const float fraction = (float(i) + 0.5) / float(kTaps);
        const float angle = 6.2831853 * (fraction * kTurns + turn);
        const ivec2 there = here + ivec2(round(fraction * reach * vec2(cos(angle), sin(angle))));
        const float otherAway = distanceAt(there);
        if (otherAway <= 0.0) continue;
        const vec3 to = (pointAt(there, otherAway) - point) / radius;
        const float squared = dot(to, to);
        const float high = dot(to, normal) - kSlant * away / radius;
        const float fade = max(0.0, 1.0 - squared);
        sum += fade * fade * max(0.0, high / (squared + 0.02));
    }
    pixel.r = clamp(kGain * sum / float(kTaps), 0.0, 1.0);
}
