// Inputs of base_colour.glsl besides the value. Written for layers with colours or a texture; the
// shaders of other layers do not read them.
layout(location = 4) out vec3 vertexColour;
// With kByTexture: position in the texture, in pixels; below 0: the face is plain. Centroid sampling
// keeps the position within the face, since an atlas has another face beside it.
layout(location = 5) centroid out vec2 texturePosition;

void emitPaint(uint vertex) {
    vertexColour = has(kByColour) ? colourOf(vertex) : vec3(0.0);
    texturePosition = vec2(0.0);
}
