#include "render/layer_painter.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/packing.hpp>
#include <glm/vec4.hpp>

#include "engine/error.h"
#include "engine/formats/pictures/srgb.h"
#include "render/colour_map.h"
#include "render/view_state.h"
#include "resources/shaders/shared.h"

namespace threefold::render {
namespace {

Buffer makeColourTable(const Device& device) {
    static_assert(kColourMaps.size() == shared::kColourMapCount);
    std::vector<glm::vec4> entries;
    for (const ColourMap map : kColourMaps) {
        for (const glm::vec3 colour : colourTable(map)) {
            entries.emplace_back(linearFromSrgb(colour), 1.0F);
        }
    }
    return makeBuffer(device, std::as_bytes(std::span(entries)),
                      VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
}

void checkValues(const Layer& layer) {
    if (!layer.values || layer.values->size() == layer.mesh->vertices.size()) return;
    throw InputError({"mesh", "values",
                      fmt::format("{} values for {} vertices, expected none or one for each",
                                  layer.values->size(), layer.mesh->vertices.size()),
                      ""});
}

// NaN counts as 1.
float opacityOf(const Layer& layer) {
    return layer.opacity < 1.0F ? std::max(0.0F, layer.opacity) : 1.0F;
}

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

// `firstColumn`: the layer's first column in the target.
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
    constants.surface = linearFromSrgb(layer.surface);
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

LayerKind kindOf(const Layer& layer, const DeviceMesh& mesh) {
    if (mesh.indexCount == 0 || layer.shading == Shading::points) return LayerKind::points;
    if (layer.shading == Shading::wireframe) return LayerKind::wireframe;
    if (layer.edges) return LayerKind::edges;
    return layer.shading == Shading::flat ? LayerKind::flat : LayerKind::smooth;
}

bool isByValue(const Layer& layer) {
    return layer.colouring == Colouring::values && layer.values;
}

std::uint32_t featuresOf(const Scene& scene, const Layer& layer) {
    std::uint32_t features = 0;
    if (isByValue(layer)) {
        features |= shared::kByValue;
        if (layer.colours.scale == ValueScale::logarithmic) features |= shared::kLogarithmic;
    }
    if (layer.colouring == Colouring::normals) features |= shared::kByNormal;
    if (scene.lighting == Lighting::matcap) features |= shared::kMatcap;
    if (layer.shading == Shading::flat || layer.shading == Shading::wireframe) {
        features |= shared::kFlat;
    }
    if (layer.from > 0.0F) features |= shared::kCut;
    return features;
}

// Of a translucent layer only the nearest surface is visible: draw its depth first, then its
// colour.
std::span<const PipelineUse> usesOf(const Layer& layer) {
    static constexpr std::array kOpaque{PipelineUse::opaque};
    static constexpr std::array kTranslucent{PipelineUse::depthOnly, PipelineUse::blended};
    if (opacityOf(layer) < 1.0F) return kTranslucent;
    return kOpaque;
}

bool isSeen(const Layer& layer) {
    return layer.mesh && opacityOf(layer) > 0.0F;
}

bool isSurface(LayerKind kind) {
    return kind == LayerKind::smooth || kind == LayerKind::flat || kind == LayerKind::edges;
}

bool canBeOccluded(const Layer& layer) {
    return isSeen(layer) && !layer.mesh->faces.empty() && !isByValue(layer) &&
           layer.colouring != Colouring::normals && opacityOf(layer) == 1.0F &&
           (layer.shading == Shading::smooth || layer.shading == Shading::flat);
}

LayerForm formOf(const Scene& scene, const Layer& layer, const DeviceMesh& mesh, PipelineUse use) {
    const LayerKind kind = kindOf(layer, mesh);
    return {kind, use, featuresOf(scene, layer),
            scene.occlusion && isSurface(kind) && canBeOccluded(layer)};
}

}  // namespace

bool showsOcclusion(const Scene& scene) {
    return scene.occlusion && std::ranges::any_of(scene.panes, [](const Pane& pane) {
               return std::ranges::any_of(pane.layers, canBeOccluded);
           });
}

LayerPainter::LayerPainter(const Device& device, VkRenderPass pass, VkSampleCountFlagBits samples)
    : pipelines_(device, pass, samples),
      colourTable_(makeColourTable(device)),
      meshes_(device, pipelines_.meshSet(), colourTable_),
      values_(device, pipelines_.valueSet()) {}

bool LayerPainter::ready(const Scene& scene, const std::function<void()>& then) {
    bool all = true;
    for (const Pane& pane : scene.panes) {
        for (const Layer& layer : pane.layers) {
            if (isSeen(layer) && !meshes_.ready(layer.mesh, then)) all = false;
        }
    }
    return all;
}

PreparedScene LayerPainter::prepare(VkCommandBuffer commands, const Scene& scene, KeptAlive& kept) {
    meshes_.tidy();
    values_.tidy();
    PreparedScene prepared(scene.panes.size());
    for (std::size_t i = 0; i < scene.panes.size(); ++i) {
        for (const Layer& layer : scene.panes[i].layers) {
            PreparedLayer& made = prepared[i].emplace_back();
            if (!isSeen(layer)) continue;
            checkValues(layer);
            made.mesh = meshes_.get(layer.mesh, commands, kept);
            if (!made.mesh) continue;
            const bool coloured = layer.colouring == Colouring::values;
            made.values = values_.get(coloured ? layer.values : nullptr, commands, kept);
            for (const PipelineUse use : usesOf(layer)) {
                pipelines_.need(formOf(scene, layer, *made.mesh, use));
            }
        }
    }
    return prepared;
}

void LayerPainter::record(VkCommandBuffer commands, const Scene& scene,
                          const PreparedScene& prepared, std::span<const PaneView> views,
                          VkDescriptorSet occlusion) const {
    forEachSeen(commands, scene, prepared, views,
                [&](const Layer& layer, const PreparedLayer& ready) {
                    for (const PipelineUse use : usesOf(layer)) {
                        recordLayer(commands, ready, pipelines_,
                                    formOf(scene, layer, *ready.mesh, use), occlusion);
                    }
                });
}

void LayerPainter::recordDepth(VkCommandBuffer commands, const Scene& scene,
                               const PreparedScene& prepared, std::span<const PaneView> views,
                               LayerPipelines& pipelines) const {
    forEachSeen(commands, scene, prepared, views,
                [&](const Layer& layer, const PreparedLayer& ready) {
                    const LayerKind kind = kindOf(layer, *ready.mesh);
                    if (!isSurface(kind) || opacityOf(layer) < 1.0F) return;
                    const LayerForm form{kind, PipelineUse::depthPass};
                    pipelines.need(form);
                    recordLayer(commands, ready, pipelines, form, VK_NULL_HANDLE);
                });
}

// Draws with the layer's viewport, scissor and constants in place.
void LayerPainter::forEachSeen(VkCommandBuffer commands, const Scene& scene,
                               const PreparedScene& prepared, std::span<const PaneView> views,
                               const LayerFunction& draw) const {
    for (std::size_t i = 0; i < prepared.size(); ++i) {
        const PaneView& view = views[i];
        if (isEmpty(view.seen)) continue;
        const Pane& pane = scene.panes[i];
        setViewport(commands, view.viewport);
        for (std::size_t j = 0; j < prepared[i].size(); ++j) {
            const PreparedLayer& ready = prepared[i][j];
            const Layer& layer = pane.layers[j];
            if (!ready.mesh) continue;
            const PaneRect columns = columnsOf(view, layer.from, layer.to);
            if (isEmpty(columns)) continue;
            setScissor(commands, columns);
            const shared::LayerConstants constants =
                layerConstants(scene, pane, layer, view, columns.x, *ready.mesh);
            vkCmdPushConstants(commands, pipelines_.layout(), kConstantStages, 0, sizeof(constants),
                               &constants);
            draw(layer, ready);
        }
    }
}

void LayerPainter::recordLayer(VkCommandBuffer commands, const PreparedLayer& prepared,
                               const LayerPipelines& pipelines, LayerForm form,
                               VkDescriptorSet occlusion) const {
    const DeviceMesh& mesh = *prepared.mesh;
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines.get(form));
    const std::array sets{mesh.descriptors.set, prepared.values->descriptors.set, occlusion};
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines_.layout(), 0,
                            form.occluded ? 3 : 2, sets.data(), 0, nullptr);
    if (form.kind == LayerKind::smooth) {
        vkCmdBindIndexBuffer(commands, mesh.indices.buffer.handle(), 0, VK_INDEX_TYPE_UINT32);
        vkCmdDrawIndexed(commands, mesh.indexCount, 1, 0, 0, 0);
        return;
    }
    const bool discs = form.kind == LayerKind::points;
    vkCmdDraw(commands, discs ? mesh.vertexCount * shared::kDiscIndices : mesh.indexCount, 1, 0, 0);
}

void LayerPainter::submitted() {
    meshes_.submitted();
    values_.submitted();
}

}  // namespace threefold::render
