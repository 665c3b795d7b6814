#pragma once

#include <cstdint>
#include <span>

namespace threefold::render {

/// SPIR-V of the shaders of resources/shaders, compiled at build time.
using ShaderCode = std::span<const std::uint32_t>;

inline constexpr std::uint32_t kSmoothVertex[] = {
#include <shaders/smooth.vert.inc>
};
inline constexpr std::uint32_t kFlatVertex[] = {
#include <shaders/flat.vert.inc>
};
inline constexpr std::uint32_t kLinesVertex[] = {
#include <shaders/lines.vert.inc>
};
inline constexpr std::uint32_t kPointsVertex[] = {
#include <shaders/points.vert.inc>
};
inline constexpr std::uint32_t kOutlineVertex[] = {
#include <shaders/outline.vert.inc>
};
inline constexpr std::uint32_t kOutlineFragment[] = {
#include <shaders/outline.frag.inc>
};
inline constexpr std::uint32_t kGroundVertex[] = {
#include <shaders/ground.vert.inc>
};
inline constexpr std::uint32_t kGroundFragment[] = {
#include <shaders/ground.frag.inc>
};
inline constexpr std::uint32_t kSurfaceFragment[] = {
#include <shaders/surface.frag.inc>
};
inline constexpr std::uint32_t kSurfaceOccludedFragment[] = {
#include <shaders/surface_occluded.frag.inc>
};
inline constexpr std::uint32_t kEdgesFragment[] = {
#include <shaders/edges.frag.inc>
};
inline constexpr std::uint32_t kEdgesOccludedFragment[] = {
#include <shaders/edges_occluded.frag.inc>
};
inline constexpr std::uint32_t kWireframeFragment[] = {
#include <shaders/wireframe.frag.inc>
};
inline constexpr std::uint32_t kPointsFragment[] = {
#include <shaders/points.frag.inc>
};
inline constexpr std::uint32_t kDecorationVertex[] = {
#include <shaders/decoration.vert.inc>
};
inline constexpr std::uint32_t kDecorationFragment[] = {
#include <shaders/decoration.frag.inc>
};
inline constexpr std::uint32_t kWholeVertex[] = {
#include <shaders/whole.vert.inc>
};
inline constexpr std::uint32_t kOcclusionFragment[] = {
#include <shaders/occlusion.frag.inc>
};
inline constexpr std::uint32_t kOcclusionBlurFragment[] = {
#include <shaders/occlusion_blur.frag.inc>
};

}  // namespace threefold::render
