#include "render/shader_code.h"

namespace threefold::render {
namespace {

constexpr std::uint32_t kSmoothVertex[] = {
#include <shaders/smooth.vert.inc>
};
constexpr std::uint32_t kFlatVertex[] = {
#include <shaders/flat.vert.inc>
};
constexpr std::uint32_t kLinesVertex[] = {
#include <shaders/lines.vert.inc>
};
constexpr std::uint32_t kPointsVertex[] = {
#include <shaders/points.vert.inc>
};
constexpr std::uint32_t kSurfaceFragment[] = {
#include <shaders/surface.frag.inc>
};
constexpr std::uint32_t kSurfaceOccludedFragment[] = {
#include <shaders/surface_occluded.frag.inc>
};
constexpr std::uint32_t kEdgesFragment[] = {
#include <shaders/edges.frag.inc>
};
constexpr std::uint32_t kEdgesOccludedFragment[] = {
#include <shaders/edges_occluded.frag.inc>
};
constexpr std::uint32_t kWireframeFragment[] = {
#include <shaders/wireframe.frag.inc>
};
constexpr std::uint32_t kPointsFragment[] = {
#include <shaders/points.frag.inc>
};
constexpr std::uint32_t kDecorationVertex[] = {
#include <shaders/decoration.vert.inc>
};
constexpr std::uint32_t kDecorationFragment[] = {
#include <shaders/decoration.frag.inc>
};
constexpr std::uint32_t kWholeVertex[] = {
#include <shaders/whole.vert.inc>
};
constexpr std::uint32_t kOcclusionFragment[] = {
#include <shaders/occlusion.frag.inc>
};
constexpr std::uint32_t kOcclusionBlurFragment[] = {
#include <shaders/occlusion_blur.frag.inc>
};

}  // namespace

ShaderCode smoothVertexCode() {
    return kSmoothVertex;
}
ShaderCode flatVertexCode() {
    return kFlatVertex;
}
ShaderCode linesVertexCode() {
    return kLinesVertex;
}
ShaderCode pointsVertexCode() {
    return kPointsVertex;
}
ShaderCode surfaceFragmentCode() {
    return kSurfaceFragment;
}
ShaderCode surfaceOccludedFragmentCode() {
    return kSurfaceOccludedFragment;
}
ShaderCode edgesFragmentCode() {
    return kEdgesFragment;
}
ShaderCode edgesOccludedFragmentCode() {
    return kEdgesOccludedFragment;
}
ShaderCode wireframeFragmentCode() {
    return kWireframeFragment;
}
ShaderCode pointsFragmentCode() {
    return kPointsFragment;
}
ShaderCode decorationVertexCode() {
    return kDecorationVertex;
}
ShaderCode decorationFragmentCode() {
    return kDecorationFragment;
}
ShaderCode wholeVertexCode() {
    return kWholeVertex;
}
ShaderCode occlusionFragmentCode() {
    return kOcclusionFragment;
}
ShaderCode occlusionBlurFragmentCode() {
    return kOcclusionBlurFragment;
}

}  // namespace threefold::render
