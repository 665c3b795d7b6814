#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "mesh_buffers.glsl"
#include "paint_out.glsl"
#include "clip_position.glsl"

layout(location = 0) out vec3 viewPosition;
layout(location = 1) out vec3 viewNormal;
layout(location = 2) out vec2 valueAndKnown;

void main() {
    const MeshVertex vertex = vertices[gl_VertexIndex];
    viewPosition = toView(vertex.position);
    viewNormal = normalInView(vertex, viewPosition);
    valueAndKnown = valueAndKnownOf(gl_VertexIndex);
    emitPaint(gl_VertexIndex);
    gl_Position = toClip(viewPosition, vec2(0.0));
}
