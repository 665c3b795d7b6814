// A filled surface with the edges of its triangles upon it.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "ambient.glsl"
#include "lighting.glsl"
#include "base_colour.glsl"
#include "cut.glsl"
#include "facing.glsl"
#include "edges.glsl"

layout(location = 0) in vec3 viewPosition;
layout(location = 1) in vec3 viewNormal;
layout(location = 2) in vec2 valueAndKnown;
layout(location = 0) out vec4 pixel;

const float kHalfWidth = 0.2;  // logical pixels

void main() {
    cutOff();
    const vec3 base = surfaceColour(valueAndKnown, viewNormal);
    const vec3 normal = facingNormal(viewNormal, viewPosition);
    const vec3 shaded = lit(base, normal, normalize(-viewPosition), ambientFraction());
    // Edges are darker than a light surface, and lighter than a dark one.
    const float bright = dot(base, vec3(0.2126, 0.7152, 0.0722));
    const vec3 edge = bright > 0.05 ? 0.22 * shaded : shaded + 0.09;
    pixel = vec4(toEncoded(mix(shaded, edge, edgeCoverage(kHalfWidth))), layer.opacity);
}
