// The mesh, pulled by index instead of bound as attributes: one upload serves every shading.
layout(set = kMeshSet, binding = kVertexBinding, std430) readonly buffer Vertices {
    MeshVertex vertices[];
};
layout(set = kMeshSet, binding = kIndexBinding, std430) readonly buffer Indices { uint indices[]; };
layout(set = kValueSet, binding = kValueBinding, std430) readonly buffer Values { float values[]; };

// The vertex's value, and 1 where it has one.
vec2 valueAndKnownOf(uint vertex) {
    if (!has(kByValue)) return vec2(0.0);
    const float value = values[vertex];
    return value < kLargestValue * 10.0 ? vec2(value, 1.0) : vec2(0.0);
}
