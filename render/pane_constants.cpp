#include "render/pane_constants.h"

#include <glm/geometric.hpp>

#include "render/linear_light.h"
#include "render/mesh_store.h"

namespace threefold::render {

shared::PaneConstants paneConstants(const Scene& scene, const Pane& pane, const Layer& layer,
                                    const PaneRect& rect, const DeviceMesh& mesh) {
    const glm::mat4 view = pane.camera.viewMatrix();
    const auto row = [&view](int i) {
        return glm::vec4(view[0][i], view[1][i], view[2][i], view[3][i]);
    };
    const float aspect = static_cast<float>(rect.width) / static_cast<float>(rect.height);
    const glm::mat4 projection = pane.camera.projectionMatrix(aspect);
    const ValueColours& colours = layer.colours;
    const float range = colours.highest - colours.lowest;
    const float depth = -glm::dot(row(2), glm::vec4(mesh.centre, 1.0F));

    shared::PaneConstants constants{};
    constants.viewRow0 = row(0);
    constants.viewRow1 = row(1);
    constants.viewRow2 = row(2);
    constants.projection = {projection[0][0], projection[1][1]};
    constants.nearPlane = -projection[3][2];
    constants.pixelRatio = scene.pixelRatio;
    constants.surface = toLinear(layer.surface);
    constants.background =
        toLinear(glm::vec3(scene.background.x, scene.background.y, scene.background.z));
    constants.lowest = colours.lowest;
    // An empty range shows every value as its lowest.
    constants.valueScale = range > 0.0F ? 1.0F / range : 0.0F;
    constants.paneSize = {static_cast<float>(rect.width), static_cast<float>(rect.height)};
    constants.depthRange = {depth - mesh.radius, depth + mesh.radius};
    constants.tableStart = static_cast<shared::uint>(colours.map) * shared::kColourTableSize;
    constants.coloured =
        layer.colouring == Colouring::values && layer.values && !layer.values->empty() ? 1U : 0U;
    return constants;
}

}  // namespace threefold::render
