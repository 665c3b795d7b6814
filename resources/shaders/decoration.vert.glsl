#version 450
#extension GL_GOOGLE_include_directive : require
#include "shared.h"

layout(push_constant) uniform Shape { DecorationConstants shape; };

// Two triangles around the shape.
void main() {
    const uint corner = uint(gl_VertexIndex) % 3u + uint(gl_VertexIndex) / 3u;
    const vec2 side = vec2((corner & 1u) == 0u ? -1.0 : 1.0, (corner & 2u) == 0u ? -1.0 : 1.0);
    const vec2 reach = ceil(shape.halfSize + shape.halfWidth + shape.outlineWidth + 1.0);
    const vec2 pixel = shape.middle + side * reach;
    gl_Position = vec4(2.0 * pixel / shape.targetSize - 1.0, 0.0, 1.0);
}
