#version 450
#extension GL_GOOGLE_include_directive : require
#include "shared.h"

layout(push_constant) uniform Shape { DecorationConstants shape; };

// Two triangles that form a box around the shape.
void main() {
    const uint corner = uint(gl_VertexIndex) % 3u + uint(gl_VertexIndex) / 3u;
    const vec2 side = vec2((corner & 1u) == 0u ? -1.0 : 1.0, (corner & 2u) == 0u ? -1.0 : 1.0);
    const float c = abs(cos(shape.angle)), s = abs(sin(shape.angle));
    const vec2 turned = vec2(c * shape.halfSize.x + s * shape.halfSize.y,
                             s * shape.halfSize.x + c * shape.halfSize.y);
    const vec2 reach = ceil(turned + shape.halfWidth + shape.outlineWidth + 1.0);
    const vec2 pixel = shape.centre + side * reach;
    gl_Position = vec4(2.0 * pixel / shape.targetSize - 1.0, 0.0, 1.0);
}
