// Fraction of the ambient light that reaches the pixel.
#ifdef OCCLUDED
layout(set = kOcclusionSet, binding = kOcclusionBinding) uniform sampler2D occludedFractions;

float ambientFraction() { return 1.0 - texelFetch(occludedFractions, ivec2(gl_FragCoord.xy), 0).r; }
#else
float ambientFraction() { return 1.0; }
#endif
