#include "ui/panes/scene_making.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "ui/document/shown_values.h"
#include "ui/document/value_range.h"
#include "ui/panes/compare_arrangement.h"
#include "ui/results/morphed_mesh.h"

namespace threefold::ui {
namespace {

// Equal for meshes whose vertices are the same ones, moved.
int numbering(const Document& document, const render::SceneMeshRef& mesh) {
    const ResultRef& result = document.result();
    if (!result || !mesh) return 0;
    return mesh == result->hull                                           ? 2
           : fittedApart(*result) && mesh == result->mesh(MeshId::fitted) ? 1
                                                                          : 0;
}

// Refinement and fit keep the vertices' numbers; where the fitted mesh or the hull has others, the
// nearest vertex is marked.
void addMarker(render::Pane& pane, const Document& document, const ArrangedMesh& mesh,
               const PickedVertex& vertex, const QColor& colour) {
    const bool same = mesh.id == vertex.id;
    if (!same && !(mesh.id.isMade() && vertex.id.isMade())) return;
    if (!mesh.mesh) return;
    const Points& vertices = mesh.mesh->vertices;
    if (numbering(document, mesh.mesh) == numbering(document, meshOf(document, vertex.id))) {
        if (vertex.index < vertices.size())
            pane.markers.push_back({vertices[vertex.index], toVec(colour)});
    } else if (const auto place = placeOf(document, vertex)) {
        const auto away = [&](glm::vec3 other) { return glm::distance(*place, other); };
        pane.markers.push_back({*std::ranges::min_element(vertices, {}, away), toVec(colour)});
    }
}

// Rings at both ends, and dots between them as the line that joins them.
void addDistance(render::Pane& pane, const Document& document, const ArrangedPane& arranged,
                 const QColor& colour) {
    const std::vector<PickedVertex>& ends = document.distanceEnds();
    if (std::ranges::none_of(
            ends, [&](MeshId id) { return arranged.shows(id); }, &PickedVertex::id))
        return;
    std::vector<glm::vec3> places;
    for (const PickedVertex& end : ends)
        if (const auto place = placeOf(document, end)) places.push_back(*place);
    for (const glm::vec3& place : places) pane.markers.push_back({place, toVec(colour)});
    if (places.size() < 2) return;
    constexpr int kDots = 32;
    constexpr float kDot = 1.5F;
    for (int i = 1; i < kDots; ++i) {
        const float share = static_cast<float>(i) / kDots;
        pane.markers.push_back({glm::mix(places[0], places[1], share), toVec(colour), kDot});
    }
}

// The outline's colour, for maps that hardly contrast with the background.
std::optional<glm::vec3> outlineOf(render::ColourMap map, const ThemeColours& colours) {
    constexpr double kStandsOut = 1.5;
    const auto lost = [&](float end) {
        const glm::vec3 colour = render::colourAt(map, end);
        return contrast(QColor::fromRgbF(colour.x, colour.y, colour.z), colours.viewport) <
               kStandsOut;
    };
    if (!lost(0.0F) && !lost(1.0F)) return std::nullopt;
    return glm::mix(toVec(colours.viewport), toVec(colours.text), 0.45F);
}

// A grid below the shown meshes; none without points.
std::optional<render::Ground> groundOf(const Document& document, const ThemeColours& colours) {
    glm::vec3 low(std::numeric_limits<float>::infinity());
    glm::vec3 high = -low;
    const auto include = [&](const render::SceneMeshRef& mesh) {
        if (!mesh) return;
        // A sample of the points is enough.
        const std::size_t step = mesh->vertices.size() / 20'000 + 1;
        for (std::size_t i = 0; i < mesh->vertices.size(); i += step) {
            low = glm::min(low, mesh->vertices[i]);
            high = glm::max(high, mesh->vertices[i]);
        }
    };
    if (const ResultRef& shown = document.shownResult(MeshId::first))
        include(shown->mesh(MeshId::first));
    if (const ResultRef& shown = document.shownResult(MeshId::result)) {
        include(shown->mesh(MeshId::result));
        include(shown->mesh(MeshId::fitted));
    }
    for (const MeshId id : document.openedIds()) include(document.opened(id)->mesh);
    const float size = glm::distance(low, high);
    if (!(size > 0.0F) || !std::isfinite(size)) return std::nullopt;
    const float power = std::pow(10.0F, std::floor(std::log10(size / 2.0F)));
    return render::Ground{.middle = {(low.x + high.x) / 2, low.y, (low.z + high.z) / 2},
                          .reach = 2.0F * size,
                          .cell = power,
                          .colour = glm::mix(toVec(colours.viewport), toVec(colours.text), 0.45F)};
}

render::Layer layerOf(const Document& document, const ArrangedMesh& arranged,
                      const ThemeColours& colours) {
    const Look& look = document.look();
    render::Layer layer;
    layer.mesh = arranged.mesh;
    layer.values = surfaceValues(document, arranged.id).values.on(layer.mesh);
    layer.shading = look.shading;
    layer.edges = look.edges;
    if (layer.mesh && layer.mesh->faces.empty()) layer.shading = render::Shading::points;
    if (layer.values) {
        layer.colouring = render::Colouring::values;
        layer.colours = valueColours(document, arranged.id);
        layer.outline = outlineOf(layer.colours.map, colours);
    } else if (quantityInfo(document.quantity()).colouring == render::Colouring::normals) {
        layer.colouring = render::Colouring::normals;
    } else if (const SurfacePaint paint = surfacePaint(document, arranged.id, arranged.mesh)) {
        layer.colouring = paint.texture ? render::Colouring::texture : render::Colouring::colours;
        layer.values = paint.colours;
        layer.texture = paint.texture;
    }
    layer.backfaces = look.backfaces;
    constexpr float kStale = 0.3F;  // opacity factor of outdated meshes
    layer.opacity = arranged.opacity * (document.stale(arranged.id) ? kStale : 1.0F);
    layer.from = arranged.from;
    layer.to = arranged.to;
    layer.surface = toVec(colours.surface);
    return layer;
}

}  // namespace

ThemeColours chosenColours(const Look& look, ThemeColours colours) {
    constexpr double kReadable = 3;
    const auto choose = [](QColor& colour, float packed) {
        if (packed != kThemesOwn) colour = QColor::fromRgb(static_cast<QRgb>(packed));
    };
    choose(colours.surface, look.surface);
    choose(colours.viewport, look.background);
    if (contrast(colours.text, colours.viewport) < kReadable) {
        const ThemeColours other = themeColours(!colours.dark);
        colours.text = other.text;
        colours.accent = other.accent;
    }
    return colours;
}

render::Scene makeScene(const Document& document, const ThemeColours& theme,
                        const CameraLayers* cameras) {
    render::Scene scene;
    const Look& look = document.look();
    const ThemeColours colours = chosenColours(look, theme);
    const auto ground = look.ground ? groundOf(document, colours) : std::nullopt;
    for (const ArrangedPane& arranged : arrangePanes(document)) {
        render::Pane& pane = scene.panes.emplace_back();
        pane.axes = look.axes;
        pane.ground = ground;
        pane.seam = arranged.seam;
        if (cameras != nullptr)
            pane.layers = cameras->layers(toVec(colours.muted), toVec(colours.accent),
                                          toVec(colours.viewport));
        for (const ArrangedMesh& mesh : arranged.meshes) {
            pane.layers.push_back(layerOf(document, mesh, colours));
            if (document.hovered())
                addMarker(pane, document, mesh, *document.hovered(), colours.text);
            if (document.marked())
                addMarker(pane, document, mesh, *document.marked(), colours.accent);
        }
        addDistance(pane, document, arranged, colours.text);
    }
    scene.lighting = look.lighting;
    scene.occlusion = look.occlusion;
    scene.background = glm::vec4(toVec(colours.viewport), 1.0F);
    scene.divider = toVec(colours.border);
    scene.seam = toVec(colours.text);
    return scene;
}

}  // namespace threefold::ui
