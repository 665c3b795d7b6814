#pragma once

#include <cstdint>
#include <span>

namespace threefold::render {

/// SPIR-V of a shader of resources/shaders, compiled at build time.
using ShaderCode = std::span<const std::uint32_t>;

ShaderCode smoothVertexCode();
ShaderCode flatVertexCode();
ShaderCode linesVertexCode();
ShaderCode pointsVertexCode();
ShaderCode surfaceFragmentCode();
ShaderCode surfaceOccludedFragmentCode();
ShaderCode edgesFragmentCode();
ShaderCode edgesOccludedFragmentCode();
ShaderCode wireframeFragmentCode();
ShaderCode pointsFragmentCode();
ShaderCode decorationVertexCode();
ShaderCode decorationFragmentCode();
ShaderCode wholeVertexCode();
ShaderCode occlusionFragmentCode();
ShaderCode occlusionBlurFragmentCode();

}  // namespace threefold::render
