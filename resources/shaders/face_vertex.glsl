// Drawn without an index buffer, three vertices a face: each knows its face and its corner.
layout(location = 0) out vec3 viewPosition;
layout(location = 1) out vec3 viewNormal;
layout(location = 2) out vec2 valueAndKnown;

// Writes the outputs and gl_Position; gives the vertex's corner of its face, 0 to 2.
uint emitFaceVertex() {
    const uint corner = uint(gl_VertexIndex) % 3u;
    const uint first = uint(gl_VertexIndex) - corner;
    const vec3 a = vertices[indices[first]].position;
    const vec3 b = vertices[indices[first + 1u]].position;
    const vec3 c = vertices[indices[first + 2u]].position;
    const MeshVertex vertex = vertices[indices[gl_VertexIndex]];
    viewPosition = toView(vertex.position);
    viewNormal = turnToView(cross(b - a, c - a));
    const float size = length(viewNormal);
    if (size > 0.0) viewNormal /= size;
    valueAndKnown = vec2(vertex.value, vertex.state);
    gl_Position = toClip(viewPosition);
    return corner;
}
