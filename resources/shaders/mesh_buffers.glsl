// The mesh's buffers, which shaders read by index instead of as vertex attributes, so that one upload serves
// every shading.
#include "value_buffers.glsl"

layout(set = kMeshSet, binding = kVertexBinding, std430) readonly buffer Vertices {
    MeshVertex vertices[];
};
layout(set = kMeshSet, binding = kIndexBinding, std430) readonly buffer Indices { uint indices[]; };

// Normal of a vertex at a position in camera space. With kEitherWay (faces wind inconsistently) it is on the
// camera's side, since normals of opposite signs would cancel when they are interpolated between vertices.
vec3 normalInView(MeshVertex vertex, vec3 position) {
    const vec3 normal = turnToView(vertex.normal);
    return has(kEitherWay) && dot(normal, position) > 0.0 ? -normal : normal;
}

bool isKnown(float value) { return value < kMaxValue * 10.0; }

// The vertex's value, and 1 where it has one.
vec2 valueAndKnownOf(uint vertex) {
    if (!has(kByValue) && !has(kByColour)) return vec2(0.0);
    const float value = values[vertex];
    if (!isKnown(value)) return vec2(0.0);
    return vec2(has(kByColour) ? 0.0 : value, 1.0);
}

// The vertex's own colour in linear light.
vec3 colourOf(uint vertex) {
    const float packed = values[vertex];
    if (!isKnown(packed)) return vec3(0.0);
    const uint bytes = uint(packed);
    return toLinear(vec3(bytes >> 16, (bytes >> 8) & 255u, bytes & 255u) / 255.0);
}
