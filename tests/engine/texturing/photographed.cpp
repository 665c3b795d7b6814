#include "tests/engine/texturing/photographed.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "engine/raster/rasterize.h"
#include "engine/views/foreground.h"
#include "tests/engine/hull/shapes.h"

namespace threefold::test {

glm::vec3 smooth(glm::vec3 point) {
    return 127.0F + 300.0F * point;
}

TextureView photographed(const Mesh& mesh, const Camera& camera, const Paint& paint) {
    constexpr int kSide = 320;
    const std::vector<glm::vec4> clip = toClipSpace(mesh.vertices, Pose{}, camera);
    const std::span<const glm::vec4> spans[] = {clip};
    RasterOptions options;
    options.width = options.height = kSide;
    const RasterImage drawn = rasterize(spans, mesh.faces, options).front();
    Image image{kSide, kSide, {}};
    for (std::size_t i = 0; i < drawn.facePlusOne.size(); ++i) {
        glm::vec3 point(0.0F);
        for (int k = 0; drawn.facePlusOne[i] > 0 && k < 3; ++k)
            point +=
                drawn.barycentric[i][k] * mesh.vertices[mesh.faces[drawn.facePlusOne[i] - 1][k]];
        const glm::vec3 colour = drawn.facePlusOne[i] > 0 ? paint(point) : glm::vec3(255, 0, 255);
        for (int k = 0; k < 3; ++k)
            image.rgba.push_back(
                static_cast<std::uint8_t>(std::lround(std::clamp(colour[k], 0.0F, 255.0F))));
        image.rgba.push_back(drawn.facePlusOne[i] > 0 ? 255 : 0);
    }
    auto mask = foregroundOf(image);
    return {camera, std::make_shared<const Image>(std::move(image)), std::move(mask)};
}

std::vector<TextureView> allAround(const Mesh& mesh, const Paint& paint, int count) {
    std::vector<TextureView> views;
    for (const Camera& camera : camerasAround(count))
        views.push_back(photographed(mesh, camera, paint));
    return views;
}

}  // namespace threefold::test
