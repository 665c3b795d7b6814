#include "ui/panes/make_scene.h"

#include <algorithm>
#include <cmath>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/bounding_box.h"
#include "ui/document/shown_document.h"
#include "ui/document/value_range.h"
#include "ui/panes/pane_arrangement.h"
#include "ui/results/morphed_mesh.h"
#include "ui/results/quantities.h"

namespace threefold::ui {
namespace {

// Fraction of the text's colour in a subtle line; the rest is the background's colour.
constexpr float kSubtleLine = 0.45F;

// Numbering of a mesh's vertices. In meshes of the same numbering, vertices of the same index
// correspond.
enum class VertexNumbering { network, fitted, hull };

VertexNumbering vertexNumbering(const Document& document, const render::SceneMeshRef& mesh) {
    const ResultRef& result = document.result.current();
    if (!result || !mesh) return VertexNumbering::network;
    if (mesh == result->mesh(MeshId::hull)) return VertexNumbering::hull;
    const bool isFitted = hasOwnFittedVertices(*result) && mesh == result->mesh(MeshId::fitted);
    return isFitted ? VertexNumbering::fitted : VertexNumbering::network;
}

// Marks the vertex on its own mesh, or its counterpart on another reconstructed mesh: the vertex
// with this index, or the nearest vertex where the fitted mesh or the hull has vertices of its own.
void addMarker(render::Pane& pane, const Document& document, const ArrangedMesh& mesh,
               const VertexId& vertex, const QColor& colour) {
    const bool same = mesh.id == vertex.id;
    if (!same && !(mesh.id.isReconstructed() && vertex.id.isReconstructed())) return;
    if (!mesh.mesh) return;
    const Points& vertices = mesh.mesh->vertices;
    if (vertexNumbering(document, mesh.mesh) ==
        vertexNumbering(document, meshOf(document, vertex.id))) {
        if (vertex.index < vertices.size())
            pane.markers.push_back({vertices[vertex.index], toVec(colour)});
    } else if (const auto position = vertexPosition(document, vertex);
               position && !vertices.empty()) {
        const auto distance = [&](glm::vec3 other) { return glm::distance(*position, other); };
        pane.markers.push_back({*std::ranges::min_element(vertices, {}, distance), toVec(colour)});
    }
}

// Adds rings at the ends of the measured distance, and a line of dots between the ends.
void addDistance(render::Pane& pane, const Document& document, const ArrangedPane& arranged,
                 const QColor& colour) {
    const std::vector<VertexId>& ends = document.pointed.distanceEnds();
    if (std::ranges::none_of(
            ends, [&](MeshId id) { return arranged.shows(id); }, &VertexId::id))
        return;
    std::vector<glm::vec3> positions;
    for (const VertexId& end : ends)
        if (const auto position = vertexPosition(document, end)) positions.push_back(*position);
    for (const glm::vec3& position : positions) pane.markers.push_back({position, toVec(colour)});
    if (positions.size() < 2) return;
    constexpr int kDotCount = 32;
    constexpr float kDotSize = 1.5F;
    for (int i = 1; i < kDotCount; ++i) {
        const float fraction = static_cast<float>(i) / kDotCount;
        pane.markers.push_back(
            {glm::mix(positions[0], positions[1], fraction), toVec(colour), kDotSize});
    }
}

// Outline colour if an end of the colour map hardly contrasts with the background; else none.
std::optional<glm::vec3> outlineOf(render::ColourMap map, const ThemeColours& colours) {
    constexpr double kMinContrast = 1.5;
    const auto hardlyVisible = [&](float end) {
        const glm::vec3 colour = render::colourAt(map, end);
        return contrast(QColor::fromRgbF(colour.x, colour.y, colour.z), colours.viewport) <
               kMinContrast;
    };
    if (!hardlyVisible(0.0F) && !hardlyVisible(1.0F)) return std::nullopt;
    return glm::mix(toVec(colours.viewport), toVec(colours.text), kSubtleLine);
}

// A ground grid below the meshes of the shown result and the opened meshes; none if these meshes
// have no extent.
std::optional<render::GroundGrid> groundOf(const Document& document, const ThemeColours& colours) {
    Box3f box;
    const auto include = [&](const render::SceneMeshRef& mesh) {
        if (!mesh) return;
        // A subset of the points is enough.
        const std::size_t step = mesh->vertices.size() / 20'000 + 1;
        for (std::size_t i = 0; i < mesh->vertices.size(); i += step)
            box.include(mesh->vertices[i]);
    };
    if (const ResultRef& shown = document.run.shownResult(MeshId::firstPublished))
        include(shown->mesh(MeshId::firstPublished));
    if (const ResultRef& shown = document.run.shownResult(MeshId::result)) {
        include(shown->mesh(MeshId::result));
        include(shown->mesh(MeshId::fitted));
    }
    for (const MeshId id : document.opened.ids()) include(document.opened.find(id)->mesh);
    const float size = box.diagonal();
    if (!(size > 0.0F) || !std::isfinite(size)) return std::nullopt;
    const float spacing = std::pow(10.0F, std::floor(std::log10(size / 2.0F)));
    const render::UpAxis up = document.shownUp();
    glm::vec3 centre = box.centre();
    const int axis = up == render::UpAxis::z ? 2 : 1;
    centre[axis] = box.min[axis];
    return render::GroundGrid{
        .upAxis = up,
        .centre = centre,
        .radius = 2.0F * size,
        .spacing = spacing,
        .colour = glm::mix(toVec(colours.viewport), toVec(colours.text), kSubtleLine)};
}

render::Layer layerOf(const ShownDocument& shown, const ArrangedMesh& arranged,
                      const ThemeColours& colours) {
    const Document& document = shown.document;
    const Look& look = document.look.current();
    render::Layer layer;
    layer.mesh = arranged.mesh;
    layer.values = surfaceValues(shown, arranged.id).values.valuesFor(layer.mesh);
    layer.shading = look.shading;
    layer.edges = look.edges;
    if (layer.mesh && layer.mesh->faces.empty()) layer.shading = render::Shading::points;
    if (layer.values) {
        layer.colouring = render::Colouring::values;
        layer.colourScale = colourScaleOf(shown, arranged.id);
        layer.outline = outlineOf(layer.colourScale.map, colours);
    } else if (quantityInfo(paneQuantity(document, arranged.id)).colouring ==
               render::Colouring::normals) {
        layer.colouring = render::Colouring::normals;
    } else if (const SurfacePaint paint = surfacePaint(shown, arranged.id, arranged.mesh)) {
        layer.colouring =
            paint.texture ? render::Colouring::texture : render::Colouring::vertexColours;
        layer.values = paint.colours;
        layer.texture = paint.texture;
    }
    layer.backfaces = look.backfaces;
    layer.opacity = arranged.opacity * (document.isStale(arranged.id) ? kStaleMeshOpacity : 1.0F);
    layer.leftEdge = arranged.leftEdge;
    layer.rightEdge = arranged.rightEdge;
    layer.plainColour = toVec(colours.surface);
    return layer;
}

// Adds the true points that are farther than √τ from a shown mesh. Adds none where colours do not
// stand for distances to the truth.
void addMissedTruth(render::Pane& pane, const Document& document, const ArrangedMesh& arranged) {
    if (!quantityInfo(paneQuantity(document, arranged.id)).needsTruth ||
        !arranged.id.isReconstructed())
        return;
    const ResultRef& result = document.run.shownResult(arranged.id);
    if (!result || result->evaluation() == nullptr || document.isStale(arranged.id)) return;
    const std::vector<MissedTruth>& missed = result->evaluation()->missed;
    for (std::size_t stage = 0; stage < missed.size(); ++stage) {
        if (result->morph.stages[stage].mesh != arranged.mesh) continue;
        if (!missed[stage].points) return;
        render::Layer& layer = pane.layers.emplace_back();
        layer.mesh = missed[stage].points;
        layer.values = layer.mesh->vertexColours;
        layer.shading = render::Shading::points;
        layer.colouring = render::Colouring::vertexColours;
        layer.opacity = arranged.opacity;
        layer.leftEdge = arranged.leftEdge;
        layer.rightEdge = arranged.rightEdge;
        return;
    }
}

}  // namespace

ThemeColours chosenColours(const Look& look, ThemeColours colours) {
    constexpr double kMinContrast = 3;
    const auto choose = [](QColor& colour, std::optional<std::uint32_t> chosen) {
        if (chosen) colour = QColor::fromRgb(*chosen);
    };
    choose(colours.surface, look.surfaceColour);
    choose(colours.viewport, look.backgroundColour);
    if (contrast(colours.text, colours.viewport) < kMinContrast) {
        const ThemeColours other = themeColours(colours.dark ? Theme::light : Theme::dark);
        colours.text = other.text;
        colours.accent = other.accent;
    }
    return colours;
}

render::Scene makeScene(const ShownDocument& shown, const ThemeColours& theme,
                        const CameraLayers* cameras, const PhotographPane* photographs) {
    const Document& document = shown.document;
    render::Scene scene;
    const Look& look = document.look.current();
    const ThemeColours colours = chosenColours(look, theme);
    const auto ground = look.ground ? groundOf(document, colours) : std::nullopt;
    const auto plain = overlayColours(document, colours);
    const std::vector<MeshId> ids = shownIds(document);
    for (const ArrangedPane& arranged : arrangePanes(document)) {
        render::Pane& pane = scene.panes.emplace_back();
        pane.axes = look.axes;
        pane.ground = ground;
        pane.seamPosition = arranged.seamPosition;
        if (arranged.shows(MeshId::photograph)) {
            if (photographs != nullptr) pane.layers = photographs->layers(toVec(colours.viewport));
            continue;
        }
        if (cameras != nullptr)
            pane.layers = cameras->layers(toVec(colours.muted), toVec(colours.accent),
                                          toVec(colours.viewport));
        for (const ArrangedMesh& mesh : arranged.meshes) {
            pane.layers.push_back(layerOf(shown, mesh, colours));
            for (std::size_t i = 0; plain && i < plain->size(); ++i)
                if (ids[i] == mesh.id) pane.layers.back().plainColour = toVec((*plain)[i]);
            addMissedTruth(pane, document, mesh);
            if (document.pointed.hovered())
                addMarker(pane, document, mesh, *document.pointed.hovered(), colours.text);
            if (document.pointed.marked())
                addMarker(pane, document, mesh, *document.pointed.marked(), colours.accent);
        }
        addDistance(pane, document, arranged, colours.text);
    }
    scene.lighting = look.lighting;
    scene.ambientOcclusion = look.ambientOcclusion;
    scene.background = glm::vec4(toVec(colours.viewport), 1.0F);
    scene.dividerColour = toVec(colours.border);
    scene.seamColour = toVec(colours.text);
    return scene;
}

}  // namespace threefold::ui
