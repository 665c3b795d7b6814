#include "engine/raster/camera_depths.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <glm/vec4.hpp>

#include "engine/raster/rasterize.h"

namespace threefold {

std::vector<float> cameraDepths(const Mesh& mesh, const Camera& camera, int side,
                                const std::stop_token& cancel) {
    const std::vector<glm::vec4> clip = toClipSpace(mesh.vertices, kWorldSpace, camera);
    RasterOptions options;
    options.width = options.height = static_cast<std::uint32_t>(side);
    options.wantDepth = true;
    options.wantBarycentric = false;
    options.threads = 1;
    options.cancel = cancel;
    const std::span<const glm::vec4> view(clip);
    const RasterImage image = std::move(rasterize({&view, 1}, mesh.faces, options).front());
    // toClipSpace() gives every point this z. This z divided by z/w, the drawn depth, is w, the
    // depth along the viewing direction.
    constexpr auto kClipZ = static_cast<float>(-kNearPlane);
    std::vector<float> depths(image.facePlusOne.size());
    for (std::size_t i = 0; i < depths.size(); ++i)
        if (image.facePlusOne[i] != 0) depths[i] = kClipZ / image.depth[i];
    return depths;
}

}  // namespace threefold
