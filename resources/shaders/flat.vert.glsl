#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "mesh_buffers.glsl"
#include "paint_out.glsl"
#include "clip_position.glsl"
#include "face_vertex.glsl"

void main() { emitFaceVertex(); }
