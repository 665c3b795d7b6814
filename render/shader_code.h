#pragma once

#include <cstdint>
#include <span>

namespace threefold::render {

/// SPIR-V of resources/shaders, compiled at build time.
struct ShaderCode {
    std::span<const std::uint32_t> smoothVertex, flatVertex, wireframeVertex, pointsVertex;
    std::span<const std::uint32_t> surfaceFragment, wireframeFragment, pointsFragment;
};
ShaderCode shaderCode();

}  // namespace threefold::render
