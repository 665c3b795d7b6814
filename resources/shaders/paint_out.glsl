// What base_colour.glsl needs beyond a value, of the layers that have it; elsewhere nobody reads it.
layout(location = 4) out vec3 vertexColour;
// With kByTexture: in pixels; below 0: the face is plain. Never beyond the face, where in an atlas
// another one lies.
layout(location = 5) centroid out vec2 texturePlace;

void emitPaint(uint vertex) {
    vertexColour = has(kByColour) ? colourOf(vertex) : vec3(0.0);
    texturePlace = vec2(0.0);
}
