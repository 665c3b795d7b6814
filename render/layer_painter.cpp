#include "render/layer_painter.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/packing.hpp>

#include "engine/error.h"
#include "engine/formats/pictures/srgb.h"
#include "render/recording.h"
#include "resources/shaders/shared.h"

namespace threefold::render {
namespace {

Buffer makeColourTable(const Device& device) {
    static_assert(kAllColourMaps.size() == shared::kColourMapCount);
    std::vector<glm::vec4> entries;
    for (const ColourMap map : kAllColourMaps)
        for (const glm::vec3 colour : colourTable(map))
            entries.emplace_back(linearFromSrgb(colour), 1.0F);
    return makeBuffer(device, std::as_bytes(std::span(entries)),
                      VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
}

void checkValues(const Layer& layer) {
    const auto refuse = [](const char* field, const std::string& problem) {
        throw InputError({"mesh", field, problem, ""});
    };
    if (layer.values && layer.values->size() != layer.mesh->vertices.size())
        refuse("values", fmt::format("{} values for {} vertices, expected none or one for each",
                                     layer.values->size(), layer.mesh->vertices.size()));
    if (!layer.texture) return;
    const SceneTexture& texture = *layer.texture;
    const std::size_t faces = layer.mesh->faces.size();
    if (texture.texCoords.size() != 3 * faces)
        refuse("texture", fmt::format("{} texture coordinates, expected three for each of {} faces",
                                      texture.texCoords.size(), faces));
    const auto pixels =
        static_cast<std::size_t>(texture.width) * 4 * static_cast<std::size_t>(texture.height);
    if (texture.width < 1 || texture.height < 1 || texture.pixels.size() != pixels)
        refuse("texture", fmt::format("{} bytes for {} × {} pixels", texture.pixels.size(),
                                      texture.width, texture.height));
}

// NaN counts as 1.
float opacityOf(const Layer& layer) {
    return layer.opacity < 1.0F ? std::max(0.0F, layer.opacity) : 1.0F;
}

// Lower end of the colour range. A logarithmic scale whose lower end is not positive begins four
// decades below its upper end.
float lowerEndOf(const ColourScale& colourScale) {
    constexpr float kFourDecades = 1e-4F;
    const bool isUndefined =
        colourScale.scale == ValueScale::logarithmic && !(colourScale.min > 0.0F);
    return isUndefined ? kFourDecades * std::max(0.0F, colourScale.max) : colourScale.min;
}

// `firstColumn`: first column of the layer in the target.
shared::LayerConstants layerConstants(const Scene& scene, const Pane& pane, const Layer& layer,
                                      const PaneView& view, int firstColumn,
                                      const DeviceMesh& mesh) {
    shared::LayerConstants constants{};
    setView(constants, scene, pane, view);
    const float depth = -glm::dot(constants.viewRow2, glm::vec4(mesh.geometry.bounds.centre, 1.0F));
    constants.surface = linearFromSrgb(layer.plainColour);
    constants.opacity = opacityOf(layer);
    constants.minValue = lowerEndOf(layer.colourScale);
    constants.maxValue = layer.colourScale.max;
    constants.depthRange = {depth - mesh.geometry.bounds.radius,
                            depth + mesh.geometry.bounds.radius};
    constants.background = glm::packUnorm4x8(scene.background);
    constants.mapAndColumn = static_cast<shared::uint>(layer.colourScale.map) |
                             static_cast<shared::uint>(firstColumn) << shared::kFirstColumnShift;
    return constants;
}

bool isByValue(const Layer& layer) {
    return layer.colouring == Colouring::values && layer.values;
}

LayerKind kindOf(const Layer& layer, const DeviceMesh& mesh) {
    if (mesh.geometry.indexCount == 0 || layer.shading == Shading::points) return LayerKind::points;
    if (layer.shading == Shading::wireframe) return LayerKind::wireframe;
    if (layer.edges) return LayerKind::edges;
    // A texture has values per corner of a face, and needs the face in the shader.
    const bool needsFace = layer.colouring == Colouring::texture;
    return layer.shading == Shading::flat || needsFace ? LayerKind::flat : LayerKind::smooth;
}

LayerFeatures featuresOf(const Scene& scene, const Layer& layer, LayerKind kind) {
    LayerFeatures features = 0;
    if (isByValue(layer)) {
        features |= shared::kByValue;
        if (layer.colourScale.scale == ValueScale::logarithmic) features |= shared::kLogarithmic;
    }
    if (layer.colouring == Colouring::vertexColours && layer.values) features |= shared::kByColour;
    if (layer.colouring == Colouring::texture && layer.texture && kind != LayerKind::points)
        features |= shared::kByTexture;
    if (layer.backfaces && kind != LayerKind::points) features |= shared::kBackfaces;
    if (layer.colouring == Colouring::normals) features |= shared::kByNormal;
    if (scene.lighting == Lighting::matcap) features |= shared::kMatcap;
    if (scene.lighting == Lighting::fixed) features |= shared::kFixedLight;
    if (layer.unlit) features |= shared::kUnlit;
    if (layer.shading == Shading::flat || layer.shading == Shading::wireframe)
        features |= shared::kFlat;
    if (layer.leftEdge > 0.0F) features |= shared::kCut;
    return features;
}

// A translucent layer shows only its nearest surface: draw its depth first, then its colour.
std::span<const DrawMode> drawModesOf(const Layer& layer) {
    static constexpr std::array kOpaque{DrawMode::opaque};
    static constexpr std::array kTranslucent{DrawMode::depthOnly, DrawMode::blendedAtEqualDepth};
    if (opacityOf(layer) < 1.0F) return kTranslucent;
    return kOpaque;
}

bool isShownFrom(const Layer& layer, const OrbitCamera& camera) {
    constexpr float kTolerance = 1e-4F;  // fraction of the distance
    return !layer.onlySeenFrom ||
           glm::distance(*layer.onlySeenFrom, camera.centre()) <= kTolerance * camera.distance;
}

bool isVisible(const Layer& layer) {
    return layer.mesh && opacityOf(layer) > 0.0F;
}

bool isSurface(LayerKind kind) {
    return kind == LayerKind::smooth || kind == LayerKind::flat || kind == LayerKind::edges;
}

bool receivesAmbientOcclusion(const Layer& layer) {
    return isVisible(layer) && !layer.unlit && !layer.mesh->faces.empty() && !isByValue(layer) &&
           layer.colouring != Colouring::normals && opacityOf(layer) == 1.0F &&
           (layer.shading == Shading::smooth || layer.shading == Shading::flat);
}

LayerPipelineKey keyOf(const Scene& scene, const Layer& layer, const DeviceMesh& mesh,
                       DrawMode mode) {
    const LayerKind kind = kindOf(layer, mesh);
    const std::uint32_t winding = mesh.geometry.mixedWinding ? shared::kEitherWay : 0U;
    return {kind, mode, featuresOf(scene, layer, kind) | winding,
            scene.ambientOcclusion && isSurface(kind) && receivesAmbientOcclusion(layer)};
}

bool isOutlined(const Layer& layer) {
    return layer.outline && opacityOf(layer) == 1.0F;
}

LayerPipelineKey outlineKeyOf(const Layer& layer, const DeviceMesh& mesh) {
    const bool drawsDiscs = kindOf(layer, mesh) == LayerKind::points;
    const std::uint32_t cut = layer.leftEdge > 0.0F ? shared::kCut : 0U;
    return {drawsDiscs ? LayerKind::pointsOutline : LayerKind::outline, DrawMode::opaque,
            shared::kOutline | cut};
}

// Calls `draw` for each visible layer, with the layer's viewport and scissor set.
template <class Draw>
void forEachVisible(VkCommandBuffer commands, const Scene& scene, const PreparedScene& prepared,
                    std::span<const PaneView> views, const Draw& draw) {
    for (std::size_t i = 0; i < prepared.size(); ++i) {
        const PaneView& view = views[i];
        if (isEmpty(view.visible)) continue;
        const Pane& pane = scene.panes[i];
        setViewport(commands, view.viewport);
        for (std::size_t j = 0; j < prepared[i].size(); ++j) {
            const PreparedLayer& preparedLayer = prepared[i][j];
            const Layer& layer = pane.layers[j];
            if (!preparedLayer.mesh || !isShownFrom(layer, pane.camera)) continue;
            const PixelRect columns = columnsOf(view, layer.leftEdge, layer.rightEdge);
            if (isEmpty(columns)) continue;
            setScissor(commands, columns);
            shared::LayerConstants constants =
                layerConstants(scene, pane, layer, view, columns.x, *preparedLayer.mesh);
            draw(layer, preparedLayer, constants);
        }
    }
}

// `layout`: pipeline layout of the layers.
void recordLayer(VkCommandBuffer commands, const PreparedLayer& prepared,
                 const shared::LayerConstants& constants, VkPipelineLayout layout,
                 const LayerPipelines& pipelines, LayerPipelineKey key,
                 VkDescriptorSet occlusion = VK_NULL_HANDLE) {
    const DeviceMesh& mesh = *prepared.mesh;
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines.get(key));
    // Push for every draw: when lavapipe of Mesa 25 draws without a fragment shader, it loses the
    // constants pushed for the next draw.
    vkCmdPushConstants(commands, layout, kConstantStages, 0, sizeof(constants), &constants);
    const std::array sets{mesh.descriptors.set, prepared.values->descriptors.set, occlusion};
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0,
                            key.bindsAmbientOcclusion ? 3 : 2, sets.data(), 0, nullptr);
    if (key.kind == LayerKind::smooth || key.kind == LayerKind::outline) {
        vkCmdBindIndexBuffer(commands, mesh.geometry.indices.buffer.handle(), 0,
                             VK_INDEX_TYPE_UINT32);
        vkCmdDrawIndexed(commands, mesh.geometry.indexCount, 1, 0, 0, 0);
        return;
    }
    const bool drawsDiscs = key.kind == LayerKind::points || key.kind == LayerKind::pointsOutline;
    vkCmdDraw(
        commands,
        drawsDiscs ? mesh.geometry.vertexCount * shared::kDiscIndices : mesh.geometry.indexCount, 1,
        0, 0);
}

}  // namespace

bool showsAmbientOcclusion(const Scene& scene) {
    return scene.ambientOcclusion && std::ranges::any_of(scene.panes, [](const Pane& pane) {
               return std::ranges::any_of(pane.layers, receivesAmbientOcclusion);
           });
}

LayerPainter::LayerPainter(const Device& device, VkRenderPass pass, VkSampleCountFlagBits samples)
    : pipelines_(device, pass, samples),
      colourTable_(makeColourTable(device)),
      meshes_(device, pipelines_.meshSetLayout(), colourTable_),
      values_(device, pipelines_.valueSetLayout()) {}

bool LayerPainter::isReady(const Scene& scene) const {
    return std::ranges::all_of(scene.panes, [this](const Pane& pane) {
        return std::ranges::all_of(pane.layers, [this](const Layer& layer) {
            return !isVisible(layer) || meshes_.isReady(layer.mesh);
        });
    });
}

void LayerPainter::startPreparing(const Scene& scene, const std::function<void()>& onReady) {
    for (const Pane& pane : scene.panes)
        for (const Layer& layer : pane.layers)
            if (isVisible(layer)) meshes_.startPreparing(layer.mesh, onReady);
}

PreparedScene LayerPainter::prepare(VkCommandBuffer commands, const Scene& scene,
                                    FrameResources& resources) {
    meshes_.removeUnused();
    values_.removeUnused();
    PreparedScene prepared(scene.panes.size());
    for (std::size_t i = 0; i < scene.panes.size(); ++i) {
        for (const Layer& layer : scene.panes[i].layers) {
            PreparedLayer& preparedLayer = prepared[i].emplace_back();
            if (!isVisible(layer)) continue;
            checkValues(layer);
            preparedLayer.mesh = meshes_.get(layer.mesh, commands, resources);
            if (!preparedLayer.mesh) continue;
            const bool coloured =
                layer.colouring == Colouring::values || layer.colouring == Colouring::vertexColours;
            preparedLayer.values =
                layer.colouring == Colouring::texture && layer.texture
                    ? values_.get(layer.texture, commands, resources)
                    : values_.get(coloured ? layer.values : nullptr, commands, resources);
            if (isOutlined(layer)) pipelines_.ensure(outlineKeyOf(layer, *preparedLayer.mesh));
            for (const DrawMode mode : drawModesOf(layer))
                pipelines_.ensure(keyOf(scene, layer, *preparedLayer.mesh, mode));
        }
    }
    return prepared;
}

void LayerPainter::record(VkCommandBuffer commands, const Scene& scene,
                          const PreparedScene& prepared, std::span<const PaneView> views,
                          VkDescriptorSet occlusion) const {
    forEachVisible(commands, scene, prepared, views,
                   [&](const Layer& layer, const PreparedLayer& preparedLayer,
                       shared::LayerConstants& constants) {
                       for (const DrawMode mode : drawModesOf(layer))
                           recordLayer(commands, preparedLayer, constants, pipelines_.layout(),
                                       pipelines_, keyOf(scene, layer, *preparedLayer.mesh, mode),
                                       occlusion);
                       if (!isOutlined(layer)) return;
                       constants.surface = linearFromSrgb(*layer.outline);
                       recordLayer(commands, preparedLayer, constants, pipelines_.layout(),
                                   pipelines_, outlineKeyOf(layer, *preparedLayer.mesh));
                   });
}

void LayerPainter::recordDepth(VkCommandBuffer commands, const Scene& scene,
                               const PreparedScene& prepared, std::span<const PaneView> views,
                               LayerPipelines& pipelines) const {
    forEachVisible(commands, scene, prepared, views,
                   [&](const Layer& layer, const PreparedLayer& preparedLayer,
                       const shared::LayerConstants& constants) {
                       const LayerKind kind = kindOf(layer, *preparedLayer.mesh);
                       if (!isSurface(kind) || opacityOf(layer) < 1.0F) return;
                       const LayerPipelineKey key{kind, DrawMode::depthWithoutColour};
                       pipelines.ensure(key);
                       recordLayer(commands, preparedLayer, constants, pipelines_.layout(),
                                   pipelines, key);
                   });
}

void LayerPainter::markSubmitted() {
    meshes_.markSubmitted();
    values_.markSubmitted();
}

}  // namespace threefold::render
