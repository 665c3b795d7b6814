// A filled surface.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "ambient.glsl"
#include "lighting.glsl"
#include "base_colour.glsl"
#include "cut.glsl"
#include "facing.glsl"

layout(location = 0) in vec3 viewPosition;
layout(location = 1) in vec3 viewNormal;
layout(location = 2) in vec2 valueAndKnown;
layout(location = 0) out vec4 pixel;

void main() {
    cutOff();
    const vec3 base = surfaceColour(valueAndKnown, viewNormal);
    const vec3 normal = facingNormal(viewNormal, viewPosition);
    pixel = vec4(toEncoded(lit(base, normal, normalize(-viewPosition), ambientFraction())), layer.opacity);
}
