// The mesh, pulled by index instead of bound as attributes: one upload serves every shading.
layout(set = 0, binding = kVertexBinding, std430) readonly buffer Vertices {
    MeshVertex vertices[];
};
layout(set = 0, binding = kIndexBinding, std430) readonly buffer Indices { uint indices[]; };
