#include "render/shader_code.h"

namespace threefold::render {
namespace {

constexpr std::uint32_t kSmoothVertex[] = {
#include <shaders/smooth.vert.inc>
};
constexpr std::uint32_t kFlatVertex[] = {
#include <shaders/flat.vert.inc>
};
constexpr std::uint32_t kWireframeVertex[] = {
#include <shaders/wireframe.vert.inc>
};
constexpr std::uint32_t kPointsVertex[] = {
#include <shaders/points.vert.inc>
};
constexpr std::uint32_t kSurfaceFragment[] = {
#include <shaders/surface.frag.inc>
};
constexpr std::uint32_t kWireframeFragment[] = {
#include <shaders/wireframe.frag.inc>
};
constexpr std::uint32_t kPointsFragment[] = {
#include <shaders/points.frag.inc>
};

}  // namespace

ShaderCode shaderCode() {
    return {.smoothVertex = kSmoothVertex,
            .flatVertex = kFlatVertex,
            .wireframeVertex = kWireframeVertex,
            .pointsVertex = kPointsVertex,
            .surfaceFragment = kSurfaceFragment,
            .wireframeFragment = kWireframeFragment,
            .pointsFragment = kPointsFragment};
}

}  // namespace threefold::render
