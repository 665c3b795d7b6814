// Read by GLSL and by C++: what both must agree on.
#ifndef THREEFOLD_SHADERS_SHARED_H
#define THREEFOLD_SHADERS_SHARED_H

#ifdef __cplusplus
#include <cstdint>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#define THREEFOLD_CONSTANT inline constexpr
namespace threefold::render::shared {
using glm::vec2;
using glm::vec3;
using glm::vec4;
using uint = std::uint32_t;
#else
#define THREEFOLD_CONSTANT const
#endif

THREEFOLD_CONSTANT uint kColourTableSize = 256u;
THREEFOLD_CONSTANT uint kColourMapCount = 2u;

// A disc of the point mode is a fan of this many corners: edges for the multisampling to smooth.
THREEFOLD_CONSTANT uint kDiscCorners = 8u;
THREEFOLD_CONSTANT uint kDiscIndices = 18u;  // 3 (kDiscCorners - 2)

// Bindings of the one descriptor set.
THREEFOLD_CONSTANT uint kColourTableBinding = 0u;
THREEFOLD_CONSTANT uint kVertexBinding = 1u;
THREEFOLD_CONSTANT uint kIndexBinding = 2u;

// MeshVertex::state
THREEFOLD_CONSTANT float kVertexHidden = -1.0;   // a coordinate is not finite: never drawn
THREEFOLD_CONSTANT float kVertexUnvalued = 0.0;  // no value, or NaN
THREEFOLD_CONSTANT float kVertexValued = 1.0;

struct MeshVertex {
    vec3 position;
    float value;
    vec3 normal;  // unit, or 0 where no face gives one
    float state;
};

// Push constants of one pane: 128 bytes, all that Vulkan guarantees. Colours are linear light.
struct PaneConstants {
    vec4 viewRow0;  // world to view, upper three rows
    vec4 viewRow1;
    vec4 viewRow2;
    vec2 projection;  // x and y scale
    float nearPlane;
    float pixelRatio;
    vec3 surface;
    float lowest;  // value that gets the map's first colour
    vec3 background;
    float valueScale;  // 1 / (highest - lowest)
    vec2 paneSize;     // device pixels
    vec2 depthRange;   // view distances between which the mesh lies
    uint tableStart;   // first entry of the chosen map
    uint coloured;     // 1: by value
    uint spare0;
    uint spare1;
};

#ifdef __cplusplus
static_assert(sizeof(MeshVertex) == 32);
static_assert(sizeof(PaneConstants) == 128);
}  // namespace threefold::render::shared
#endif

#endif
