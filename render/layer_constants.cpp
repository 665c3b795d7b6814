#include "render/layer_constants.h"

#include <algorithm>
#include <cmath>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/packing.hpp>

#include "render/colour_map.h"
#include "render/mesh_store.h"

namespace threefold::render {
namespace {

// A logarithmic scale without a positive lower end shows four decades.
float lowestOf(const ValueColours& colours) {
    constexpr float kFourDecades = 1e-4F;
    const bool noEnd = colours.scale == ValueScale::logarithmic && !(colours.lowest > 0.0F);
    return noEnd ? kFourDecades * std::max(0.0F, colours.highest) : colours.lowest;
}

glm::vec2 middleOf(const PaneRect& rect) {
    return {static_cast<float>(rect.x) + 0.5F * static_cast<float>(rect.width),
            static_cast<float>(rect.y) + 0.5F * static_cast<float>(rect.height)};
}

glm::vec2 sizeOf(const PaneRect& rect) {
    return {static_cast<float>(rect.width), static_cast<float>(rect.height)};
}

}  // namespace

float opacityOf(const Layer& layer) {
    return layer.opacity < 1.0F ? std::max(0.0F, layer.opacity) : 1.0F;
}

shared::LayerConstants layerConstants(const Scene& scene, const Pane& pane, const Layer& layer,
                                      const PaneView& view, int firstColumn,
                                      const DeviceMesh& mesh) {
    const glm::mat4 matrix = pane.camera.viewMatrix();
    const auto row = [&matrix](int i) {
        return glm::vec4(matrix[0][i], matrix[1][i], matrix[2][i], matrix[3][i]);
    };
    const glm::vec2 size = sizeOf(view.whole);
    const glm::mat4 projection = pane.camera.projectionMatrix(size.x / size.y);
    const float depth = -glm::dot(row(2), glm::vec4(mesh.centre, 1.0F));

    shared::LayerConstants constants{};
    constants.viewRow0 = row(0);
    constants.viewRow1 = row(1);
    constants.viewRow2 = row(2);
    constants.projection = {projection[0][0], projection[1][1]};
    constants.wholeSize = size;
    constants.shift = middleOf(view.whole) - middleOf(view.viewport);
    constants.viewportSize = sizeOf(view.viewport);
    constants.surface = toLinear(layer.surface);
    constants.opacity = opacityOf(layer);
    constants.lowest = lowestOf(layer.colours);
    constants.highest = layer.colours.highest;
    constants.nearPlane = -projection[3][2];
    constants.pixelRatio = scene.pixelRatio;
    constants.depthRange = {depth - mesh.radius, depth + mesh.radius};
    constants.background = glm::packUnorm4x8(scene.background);
    constants.mapAndColumn = static_cast<shared::uint>(layer.colours.map) |
                             static_cast<shared::uint>(firstColumn) << shared::kFirstColumnShift;
    return constants;
}

}  // namespace threefold::render
