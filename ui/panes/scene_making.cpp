#include "ui/panes/scene_making.h"

#include "ui/document/quantities.h"
#include "ui/document/value_range.h"
#include "ui/panes/compare_arrangement.h"

namespace threefold::ui {
namespace {

glm::vec3 vectorOf(const QColor& colour) {
    return {colour.redF(), colour.greenF(), colour.blueF()};
}

// Whether the mesh has the same vertices as others: refinement and fit keep their numbers.
bool isStage(MeshRole role) {
    return role == MeshRole::coarse || role == MeshRole::refined || role == MeshRole::fitted;
}

void addMarker(render::Pane& pane, const ArrangedMesh& mesh, const PickedVertex& vertex,
               const QColor& colour) {
    const bool same = mesh.role == vertex.role;
    if (!same && !(isStage(mesh.role) && isStage(vertex.role))) return;
    if (!mesh.mesh || vertex.index >= mesh.mesh->vertices.size()) return;
    pane.markers.push_back({mesh.mesh->vertices[vertex.index], vectorOf(colour)});
}

render::Layer layerOf(const Document& document, const ArrangedMesh& arranged,
                      const ThemeColours& colours) {
    const Look& look = document.look();
    render::Layer layer;
    layer.mesh = arranged.mesh;
    layer.values = surfaceValues(document, arranged.role).values;
    layer.shading = look.shading;
    layer.edges = look.edges;
    if (layer.mesh && layer.mesh->faces.empty()) layer.shading = render::Shading::points;
    if (layer.values) {
        layer.colouring = render::Colouring::values;
        layer.colours = valueColours(document, arranged.role);
    } else if (quantityInfo(look.quantity).colouring == render::Colouring::normals) {
        layer.colouring = render::Colouring::normals;
    }
    constexpr float kStale = 0.3F;  // what the run under way will replace
    layer.opacity = arranged.opacity * (document.stale(arranged.role) ? kStale : 1.0F);
    layer.from = arranged.from;
    layer.to = arranged.to;
    layer.surface = vectorOf(colours.surface);
    return layer;
}

}  // namespace

render::Scene makeScene(const Document& document, const ThemeColours& colours) {
    render::Scene scene;
    for (const ArrangedPane& arranged : arrangePanes(document)) {
        render::Pane& pane = scene.panes.emplace_back();
        pane.seam = arranged.seam;
        for (const ArrangedMesh& mesh : arranged.meshes) {
            pane.layers.push_back(layerOf(document, mesh, colours));
            if (document.hovered()) addMarker(pane, mesh, *document.hovered(), colours.text);
            if (document.marked()) addMarker(pane, mesh, *document.marked(), colours.accent);
        }
    }
    scene.lighting = document.look().lighting;
    scene.occlusion = document.look().occlusion;
    scene.background = glm::vec4(vectorOf(colours.viewport), 1.0F);
    scene.divider = vectorOf(colours.border);
    scene.seam = vectorOf(colours.text);
    return scene;
}

}  // namespace threefold::ui
