// Drawn without an index buffer, three vertices a face: each knows its face and its corner.
layout(location = 0) out vec3 viewPosition;
layout(location = 1) out vec3 viewNormal;
layout(location = 2) out vec2 valueAndKnown;

vec3 faceNormal(uint first) {
    const vec3 a = vertices[indices[first]].position;
    const vec3 b = vertices[indices[first + 1u]].position;
    const vec3 c = vertices[indices[first + 2u]].position;
    const vec3 normal = cross(b - a, c - a);
    const float size = length(normal);
    return size > 0.0 ? normal / size : normal;
}

// With kByTexture: writes the texture coordinates of a face's corner.
void emitFacePaint(uint corner) {
    const uint first = uint(gl_VertexIndex) - corner;
    if (has(kByTexture)) {
        const uint at = kTextureCorners + 2u * uint(gl_VertexIndex);
        const vec2 coordinates = vec2(uintBitsToFloat(textureWords[at]),
                                uintBitsToFloat(textureWords[at + 1u]));
        texturePosition =
            coordinates * vec2(textureWords[kTextureWidth], textureWords[kTextureHeight]);
    }
}

// Writes the outputs and gl_Position; returns the vertex's corner of its face, 0 to 2.
uint emitFaceVertex() {
    const uint corner = uint(gl_VertexIndex) % 3u;
    const uint index = indices[gl_VertexIndex];
    const MeshVertex vertex = vertices[index];
    viewPosition = toView(vertex.position);
    viewNormal = has(kFlat) ? turnToView(faceNormal(gl_VertexIndex - corner))
                            : normalInView(vertex, viewPosition);
    valueAndKnown = valueAndKnownOf(index);
    emitPaint(index);
    emitFacePaint(corner);
    gl_Position = toClip(viewPosition, vec2(0.0));
    return corner;
}
