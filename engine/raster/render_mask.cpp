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
                const Camera& camera, int width, int height) {
    const std::vector<glm::vec4> corners = toClipSpace(vertices, meshPose, camera);
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
