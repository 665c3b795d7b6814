// How much of the ambient light reaches the pixel, 0 to 1.
#ifdef OCCLUDED
layout(set = kOcclusionSet, binding = kOcclusionBinding) uniform sampler2D occludedShares;

float ambientShare() { return 1.0 - texelFetch(occludedShares, ivec2(gl_FragCoord.xy), 0).r; }
#else
float ambientShare() { return 1.0; }
#endif
