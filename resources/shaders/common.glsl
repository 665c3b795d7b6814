// Included by every vertex and fragment shader of a mesh.
#extension GL_GOOGLE_include_directive : require
#include "shared.h"

layout(push_constant) uniform Layer { LayerConstants layer; };

layout(constant_id = kFeaturesConstant) const uint features = 0u;

bool has(uint feature) { return (features & feature) != 0u; }

vec3 toView(vec3 world) {
    const vec4 p = vec4(world, 1.0);
    return vec3(dot(layer.viewRow0, p), dot(layer.viewRow1, p), dot(layer.viewRow2, p));
}

vec3 turnToView(vec3 direction) {
    const vec4 d = vec4(direction, 0.0);
    return vec3(dot(layer.viewRow0, d), dot(layer.viewRow1, d), dot(layer.viewRow2, d));
}

vec3 turnToWorld(vec3 direction) {
    return direction.x * layer.viewRow0.xyz + direction.y * layer.viewRow1.xyz +
           direction.z * layer.viewRow2.xyz;
}

vec3 toLinear(vec3 encoded) {
    const vec3 high = pow((encoded + 0.055) / 1.055, vec3(2.4));
    return mix(high, encoded / 12.92, lessThanEqual(encoded, vec3(0.04045)));
}

vec3 toEncoded(vec3 light) {
    const vec3 clamped = clamp(light, 0.0, 1.0);
    const vec3 low = clamped * 12.92;
    const vec3 high = 1.055 * pow(clamped, vec3(1.0 / 2.4)) - 0.055;
    return mix(high, low, lessThanEqual(clamped, vec3(0.0031308)));
}

vec3 background() { return toLinear(unpackUnorm4x8(layer.background).rgb); }
