#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "mesh_buffers.glsl"
#include "paint_out.glsl"
#include "clip_position.glsl"
#include "outline.glsl"

// Draws a disc for each vertex of the mesh, facing the camera: a fan of kDiscIndices vertices.
layout(location = 0) out vec3 viewPosition;
layout(location = 1) out vec3 viewNormal;
layout(location = 2) out vec2 valueAndKnown;

const float kRadius = 2.0;  // logical pixels

void main() {
    const uint index = uint(gl_VertexIndex) / kDiscIndices;
    const MeshVertex vertex = vertices[index];
    viewPosition = toView(vertex.position);
    viewNormal = turnToView(vertex.normal);
    valueAndKnown = valueAndKnownOf(index);
    emitPaint(index);

    const uint vertexOfDisc = uint(gl_VertexIndex) % kDiscIndices;
    const uint fan = vertexOfDisc / 3u, part = vertexOfDisc % 3u;
    const uint corner = part == 0u ? 0u : fan + part;
    const float angle = 6.2831853 * (float(corner) + 0.5) / float(kDiscCorners);
    const float radius = kRadius + (has(kOutline) ? kOutlineWidth : 0.0);
    gl_Position = toClip(viewPosition, radius * layer.pixelRatio * vec2(cos(angle), sin(angle)));
    if (has(kOutline)) setBack();
    // Moves a hidden vertex in front of the near plane, where it is clipped.
    if (vertex.hidden != 0u) gl_Position = vec4(0.0, 0.0, -1.0, 1.0);
}
