#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "mesh_buffers.glsl"
#include "clip_position.glsl"
#include "outline.glsl"

void main() {
    const MeshVertex vertex = vertices[gl_VertexIndex];
    const vec3 position = toView(vertex.position);
    const vec3 normal = turnToView(vertex.normal);
    // The normal's direction in the picture: derivative of the projection along the normal.
    const vec2 along = layer.projection * layer.wholeSize *
                       (normal.xy + position.xy * (normal.z / max(-position.z, layer.nearPlane)));
    const float size = length(along);
    const vec2 offset = size > 0.0 ? along * (kOutlineWidth * layer.pixelRatio / size) : vec2(0.0);
    gl_Position = toClip(position, offset);
    setBack();
}
