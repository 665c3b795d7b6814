#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "mesh_buffers.glsl"

// A disc for each vertex of the mesh, facing the eye: kDiscIndices vertices as a fan.
layout(location = 0) out vec3 viewPosition;
layout(location = 1) out vec3 viewNormal;
layout(location = 2) out vec2 valueAndKnown;

const float kRadius = 2.0;  // logical pixels

void main() {
    const MeshVertex vertex = vertices[uint(gl_VertexIndex) / kDiscIndices];
    viewPosition = toView(vertex.position);
    viewNormal = turnToView(vertex.normal);
    valueAndKnown = vec2(vertex.value, vertex.state);
    gl_Position = toClip(viewPosition);
    if (vertex.state == kVertexHidden) {
        gl_Position = vec4(0.0, 0.0, -1.0, 1.0);  // in front of the near plane
        return;
    }
    const uint place = uint(gl_VertexIndex) % kDiscIndices;
    const uint fan = place / 3u, part = place % 3u;
    const uint corner = part == 0u ? 0u : fan + part;
    const float angle = 6.2831853 * (float(corner) + 0.5) / float(kDiscCorners);
    const vec2 offset = kRadius * pane.pixelRatio * vec2(cos(angle), sin(angle));
    gl_Position.xy += 2.0 * offset / pane.paneSize * gl_Position.w;
}
