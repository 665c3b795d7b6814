// What base_colour.glsl needs beyond a value, of the layers that have it; elsewhere nobody reads it.
layout(location = 4) out vec3 vertexColour;
layout(location = 5) out vec2 texturePlace;  // with kByTexture: in pixels; below 0: the face is plain

void emitPaint(uint vertex) {
    vertexColour = has(kByColour) ? colourOf(vertex) : vec3(0.0);
    texturePlace = vec2(0.0);
}
