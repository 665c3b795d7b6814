#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "cut.glsl"

layout(location = 0) out vec4 pixel;

void main() {
    cutOff();
    pixel = vec4(toEncoded(layer.surface), 1.0);
}
