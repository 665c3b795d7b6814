#version 450
#extension GL_GOOGLE_include_directive : require
#define OCCLUDED
#include "surface.glsl"
