#version 450
#extension GL_GOOGLE_include_directive : require
#include "shared.h"

layout(push_constant) uniform Layer { GroundConstants layer; };

#include "clip_position.glsl"

layout(location = 0) out vec2 away;  // from the grid's centre, in world units

// Two triangles that form a square around the centre.
void main() {
    const uint corner = uint(gl_VertexIndex) % 3u + uint(gl_VertexIndex) / 3u;
    away = layer.radius *
           vec2((corner & 1u) == 0u ? -1.0 : 1.0, (corner & 2u) == 0u ? -1.0 : 1.0);
    const vec3 offset =
        layer.zUp == 1u ? vec3(away.x, away.y, 0.0) : vec3(away.x, 0.0, away.y);
    const vec4 world = vec4(layer.centre + offset, 1.0);
    const vec3 view = vec3(dot(layer.viewRow0, world), dot(layer.viewRow1, world),
                           dot(layer.viewRow2, world));
    gl_Position = toClip(view, vec2(0.0));
}
