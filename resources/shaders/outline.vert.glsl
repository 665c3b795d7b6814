#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "mesh_buffers.glsl"
#include "place.glsl"
#include "outline.glsl"

void main() {
    const MeshVertex vertex = vertices[gl_VertexIndex];
    const vec3 position = toView(vertex.position);
    const vec3 normal = turnToView(vertex.normal);
    // Along the normal as the picture shows it: how the projection moves with it.
    const vec2 along = layer.projection * layer.wholeSize *
                       (normal.xy + position.xy * (normal.z / max(-position.z, layer.nearPlane)));
    const float size = length(along);
    const vec2 offset = size > 0.0 ? along * (kOutlineWidth * layer.pixelRatio / size) : vec2(0.0);
    gl_Position = toClip(position, offset);
    setBack();
}
