#version 450

// One triangle over the whole viewport.
void main() {
    const vec2 corner = vec2(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0);
    gl_Position = vec4(corner, 0.5, 1.0);
}
