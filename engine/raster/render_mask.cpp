#include "engine/raster/render_mask.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <glm/vec4.hpp>

#include "engine/raster/rasterize.h"

namespace threefold {

Mask renderMask(const Points& vertices, const Faces& faces, const Pose& meshPose,
                const Camera& camera, int width, int height, glm::dvec2 extent) {
    std::vector<glm::vec4> corners = toClipSpace(vertices, meshPose, camera);
    // Scales x/w and y/w about the upper left corner, where both are −1. An extent of 1 changes no
    // bit.
    const glm::dvec2 scale = 1.0 / extent;
    for (glm::vec4& corner : corners) {
        corner.x = static_cast<float>(scale.x * corner.x + (scale.x - 1) * corner.w);
        corner.y = static_cast<float>(scale.y * corner.y + (scale.y - 1) * corner.w);
    }
    RasterOptions options;
    options.width = static_cast<std::uint32_t>(std::max(width, 0));
    options.height = static_cast<std::uint32_t>(std::max(height, 0));
    options.wantBarycentric = false;
    options.threads = 1;  // waking other threads takes longer for small images
    const std::span<const glm::vec4> view(corners);
    const RasterImage drawn = std::move(rasterize({&view, 1}, faces, options).front());
    Mask mask{width, height, std::vector<std::uint8_t>(drawn.facePlusOne.size())};
    for (std::size_t i = 0; i < drawn.facePlusOne.size(); ++i)
        mask.inside[i] = drawn.facePlusOne[i] != 0 ? 1 : 0;
    return mask;
}

}  // namespace threefold
