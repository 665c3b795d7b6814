#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "mesh_buffers.glsl"
#include "paint_out.glsl"
#include "clip_position.glsl"
#include "face_vertex.glsl"

layout(location = 3) noperspective out vec3 corners;  // barycentric, linear on the screen

void main() {
    const uint corner = emitFaceVertex();
    corners = vec3(corner == 0u, corner == 1u, corner == 2u);
}
