// What every vertex and fragment shader of a mesh sees.
#extension GL_GOOGLE_include_directive : require
#include "shared.h"

layout(push_constant) uniform Pane { PaneConstants pane; };

// Linear light.
layout(set = 0, binding = kColourTableBinding, std140) uniform ColourTable {
    vec4 colourTable[kColourMapCount * kColourTableSize];
};

vec3 toView(vec3 world) {
    const vec4 p = vec4(world, 1.0);
    return vec3(dot(pane.viewRow0, p), dot(pane.viewRow1, p), dot(pane.viewRow2, p));
}

vec3 turnToView(vec3 direction) {
    const vec4 d = vec4(direction, 0.0);
    return vec3(dot(pane.viewRow0, d), dot(pane.viewRow1, d), dot(pane.viewRow2, d));
}

// No far plane: depth is 1 - near / distance.
vec4 toClip(vec3 view) {
    return vec4(pane.projection * view.xy, -view.z - pane.nearPlane, -view.z);
}
