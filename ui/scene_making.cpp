#include "ui/scene_making.h"

namespace threefold::ui {
namespace {

glm::vec3 vectorOf(const QColor& colour) {
    return {colour.redF(), colour.greenF(), colour.blueF()};
}

render::Layer layerOf(const render::SceneMeshRef& mesh, const render::SceneValuesRef& values,
                      const Look& look, float highest, const ThemeColours& colours) {
    render::Layer layer;
    layer.mesh = mesh;
    layer.values = values;
    layer.shading = look.shading;
    if (look.quantity == Quantity::distanceToTruth && values && highest > 0) {
        layer.colouring = render::Colouring::values;
    }
    layer.colours = {.map = look.map, .highest = highest};
    layer.surface = vectorOf(colours.surface);
    return layer;
}

}  // namespace

render::Scene makeScene(const Document& document, const ThemeColours& colours) {
    render::Scene scene;
    scene.panes.resize(PaneCameras::kPanes);
    if (const ResultRef& result = document.result()) {
        const auto layer = [&](const auto& mesh, const auto& values) {
            return layerOf(mesh, values, document.look(), result->highestDistance, colours);
        };
        scene.panes[0].layers = {layer(result->coarse, result->coarseDistance)};
        scene.panes[1].layers = {layer(result->refined, result->refinedDistance)};
    }
    scene.background = glm::vec4(vectorOf(colours.viewport), 1.0F);
    scene.divider = vectorOf(colours.border);
    return scene;
}

}  // namespace threefold::ui
