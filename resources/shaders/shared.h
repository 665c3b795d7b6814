// Constants and structures that GLSL and C++ share.
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
THREEFOLD_CONSTANT uint kColourMapCount = 4u;  // 16 KiB of table: all that Vulkan guarantees

// Corners of a disc of the point mode. A disc is a fan of triangles, because multisampling smooths
// their edges.
THREEFOLD_CONSTANT uint kDiscCorners = 8u;
THREEFOLD_CONSTANT uint kDiscIndices = 18u;  // 3 (kDiscCorners - 2)

// Set 0: a mesh. Set 1: the values by which the mesh is coloured.
THREEFOLD_CONSTANT uint kMeshSet = 0u;
THREEFOLD_CONSTANT uint kColourTableBinding = 0u;
THREEFOLD_CONSTANT uint kVertexBinding = 1u;
THREEFOLD_CONSTANT uint kIndexBinding = 2u;
THREEFOLD_CONSTANT uint kValueSet = 1u;
THREEFOLD_CONSTANT uint kValueBinding = 0u;
// Set 2, of occluded layers: the fraction of the ambient light that each pixel lacks.
THREEFOLD_CONSTANT uint kOcclusionSet = 2u;
THREEFOLD_CONSTANT uint kOcclusionBinding = 0u;

// Replaces NaN among the values, since shaders need not support NaN; all other values are at most
// kMaxValue.
THREEFOLD_CONSTANT float kNoValue = 2e38f;
THREEFOLD_CONSTANT float kMaxValue = 1e18f;

struct MeshVertex {
    vec3 position;
    uint hidden;  // 1: a coordinate is not finite; the vertex is never drawn
    vec3 normal;  // unit, or 0 where no face gives one
    float spare;
};

// Features of a shader that a pipeline uses, as a specialisation constant, because a software
// device runs both sides of every branch that remains at run time.
THREEFOLD_CONSTANT uint kFeaturesConstant = 0u;
THREEFOLD_CONSTANT uint kByValue = 1u;
THREEFOLD_CONSTANT uint kByNormal = 2u;
THREEFOLD_CONSTANT uint kLogarithmic = 4u;
THREEFOLD_CONSTANT uint kMatcap = 8u;
THREEFOLD_CONSTANT uint kFlat = 16u;
THREEFOLD_CONSTANT uint kCut = 32u;        // discards pixels left of the layer's first column
THREEFOLD_CONSTANT uint kEitherWay = 64u;  // inconsistent winding: a normal's sign means nothing
THREEFOLD_CONSTANT uint kByColour = 128u;
THREEFOLD_CONSTANT uint kByTexture = 256u;
THREEFOLD_CONSTANT uint kBackfaces = 512u;
// The mesh enlarged by a line's width, set back, in one colour.
THREEFOLD_CONSTANT uint kOutline = 1024u;
THREEFOLD_CONSTANT uint kFixedLight = 2048u;
THREEFOLD_CONSTANT uint kUnlit = 4096u;

// A texture, in place of the values: width, height, the index of its first pixel, then two
// coordinates for each corner of each face, below 0 where the face is plain, then the texture's
// pixels, red in the lowest byte.
THREEFOLD_CONSTANT uint kTextureWidth = 0u;
THREEFOLD_CONSTANT uint kTextureHeight = 1u;
THREEFOLD_CONSTANT uint kTexturePixels = 2u;
THREEFOLD_CONSTANT uint kTextureCorners = 3u;

// LayerConstants::mapAndColumn: the colour map's index in the lowest byte, above it the first
// column of the target that the layer is drawn in.
THREEFOLD_CONSTANT uint kMapMask = 0xFFu;
THREEFOLD_CONSTANT uint kFirstColumnShift = 8u;

// Push constants of one layer: 128 bytes, all that Vulkan guarantees. Sizes in device pixels.
struct LayerConstants {
    vec4 viewRow0;  // world to camera space, upper three rows
    vec4 viewRow1;
    vec4 viewRow2;
    vec2 projection;  // x and y scale
    vec2 wholeSize;   // of the pane
    vec2 shift;       // from the middle of the viewport to the middle of the pane
    vec2 viewportSize;
    vec3 surface;  // linear light
    float opacity;
    float minValue;  // value that gets the map's first colour
    float maxValue;  // value that gets the map's last colour
    float nearPlane;
    float pixelRatio;
    vec2 depthRange;  // depths in camera space between which the mesh lies
    uint background;  // sRGB-encoded bytes, red lowest
    uint mapAndColumn;
};

// Push constants of a ground: the first seven as in LayerConstants.
struct GroundConstants {
    vec4 viewRow0;
    vec4 viewRow1;
    vec4 viewRow2;
    vec2 projection;
    vec2 wholeSize;
    vec2 shift;
    vec2 viewportSize;
    vec3 centre;
    float radius;
    vec3 colour;  // sRGB-encoded
    float spacing;
    float nearPlane;
    float pixelRatio;
    uint zUp;  // 1: the ground is the plane of x and y; 0: of x and z
};

// Push constants of one shape upon the picture: a box with round corners, filled or as a line, with
// an outline around. Pixels are counted from the top left of what is drawn. Colours are
// sRGB-encoded.
struct DecorationConstants {
    vec2 centre;
    vec2 halfSize;
    vec2 targetSize;
    float corner;     // radius
    float halfWidth;  // of the line; 0: filled
    vec4 colour;
    vec4 outline;
    float outlineWidth;
    float angle;  // rotation of the shape around its centre in radians, from x towards y
};

// Ambient occlusion: what its shaders read, and their push constants. Pixels are counted from the
// top left of what is drawn.
THREEFOLD_CONSTANT uint kDepthBinding = 0u;
THREEFOLD_CONSTANT uint kOccludedBinding = 1u;

struct OcclusionConstants {
    vec2 projection;  // x and y scale
    vec2 centre;      // of the whole pane
    vec2 wholeSize;   // of the pane
    vec2 seenBegin;   // what is drawn of the pane
    vec2 seenEnd;
    vec2 origin;  // of what is drawn, in the whole picture, modulo the sampling pattern's 4 pixels
    float nearPlane;
    float radius;     // distance within which surfaces occlude a point, world units
    float maxPixels;  // upper bound of this distance on the picture, pixels
    float strength;   // fraction of the ambient light that full occlusion takes away
};

#ifdef __cplusplus
static_assert(sizeof(OcclusionConstants) == 64);
static_assert(sizeof(MeshVertex) == 32);
static_assert(sizeof(LayerConstants) == 128);
static_assert(sizeof(DecorationConstants) == 72);
static_assert(sizeof(GroundConstants) == 124);
}  // namespace threefold::render::shared
#endif

#endif
