#include "render/layer_painter.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/packing.hpp>
#include <shaders/code.h>

#include "engine/error.h"
#include "engine/formats/pictures/srgb.h"
#include "render/recording.h"
#include "resources/shaders/shared.h"

namespace threefold::render {
namespace {

PipelineForm shadersOf(const LayerForm& form) {
    const ShaderCode surface =
        form.occluded ? ShaderCode(kSurfaceOccludedFragment) : kSurfaceFragment;
    const ShaderCode edges = form.occluded ? ShaderCode(kEdgesOccludedFragment) : kEdgesFragment;
    // In the order of LayerKind.
    const std::pair<ShaderCode, ShaderCode> codes[] = {{kSmoothVertex, surface},
                                                       {kFlatVertex, surface},
                                                       {kLinesVertex, edges},
                                                       {kLinesVertex, kWireframeFragment},
                                                       {kPointsVertex, kPointsFragment},
                                                       {kOutlineVertex, kOutlineFragment},
                                                       {kPointsVertex, kPointsFragment}};
    const auto& [vertex, fragment] = codes[static_cast<std::size_t>(form.kind)];
    return {.vertexCode = vertex, .fragmentCode = fragment};
}

// Features of colour make no difference where only depth is written.
LayerForm reduced(LayerForm form) {
    if (form.use == PipelineUse::depthOnly) form.features &= shared::kCut;
    if (form.use == PipelineUse::depthPass) form.features = 0;
    return form;
}

Buffer makeColourTable(const Device& device) {
    static_assert(kColourMaps.size() == shared::kColourMapCount);
    std::vector<glm::vec4> entries;
    for (const ColourMap map : kColourMaps)
        for (const glm::vec3 colour : colourTable(map))
            entries.emplace_back(linearFromSrgb(colour), 1.0F);
    return makeBuffer(device, std::as_bytes(std::span(entries)),
                      VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
}

void checkValues(const Layer& layer) {
    const auto refuse = [](const char* place, const std::string& problem) {
        throw InputError({"mesh", place, problem, ""});
    };
    if (layer.values && layer.values->size() != layer.mesh->vertices.size())
        refuse("values", fmt::format("{} values for {} vertices, expected none or one for each",
                                     layer.values->size(), layer.mesh->vertices.size()));
    if (!layer.texture) return;
    const SceneTexture& texture = *layer.texture;
    const std::size_t corners = 3 * layer.mesh->faces.size();
    if (texture.corners.size() != corners)
        refuse("texture", fmt::format("{} coordinates for {} corners of faces",
                                      texture.corners.size(), corners));
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

// A logarithmic scale without a positive lower end shows four decades.
float lowestOf(const ValueColours& colours) {
    constexpr float kFourDecades = 1e-4F;
    const bool noEnd = colours.scale == ValueScale::logarithmic && !(colours.lowest > 0.0F);
    return noEnd ? kFourDecades * std::max(0.0F, colours.highest) : colours.lowest;
}

// `firstColumn`: the layer's first column in the target.
shared::LayerConstants layerConstants(const Scene& scene, const Pane& pane, const Layer& layer,
                                      const PaneView& view, int firstColumn,
                                      const DeviceMesh& mesh) {
    shared::LayerConstants constants{};
    setView(constants, scene, pane, view);
    const float depth = -glm::dot(constants.viewRow2, glm::vec4(mesh.centre, 1.0F));
    constants.surface = linearFromSrgb(layer.surface);
    constants.opacity = opacityOf(layer);
    constants.lowest = lowestOf(layer.colours);
    constants.highest = layer.colours.highest;
    constants.depthRange = {depth - mesh.radius, depth + mesh.radius};
    constants.background = glm::packUnorm4x8(scene.background);
    constants.mapAndColumn = static_cast<shared::uint>(layer.colours.map) |
                             static_cast<shared::uint>(firstColumn) << shared::kFirstColumnShift;
    return constants;
}

bool isByValue(const Layer& layer) {
    return layer.colouring == Colouring::values && layer.values;
}

LayerKind kindOf(const Layer& layer, const DeviceMesh& mesh) {
    if (mesh.indexCount == 0 || layer.shading == Shading::points) return LayerKind::points;
    if (layer.shading == Shading::wireframe) return LayerKind::wireframe;
    if (layer.edges) return LayerKind::edges;
    // What differs between the corners of a face needs the face.
    const bool byFace = layer.colouring == Colouring::texture;
    return layer.shading == Shading::flat || byFace ? LayerKind::flat : LayerKind::smooth;
}

std::uint32_t featuresOf(const Scene& scene, const Layer& layer, LayerKind kind) {
    std::uint32_t features = 0;
    if (isByValue(layer)) {
        features |= shared::kByValue;
        if (layer.colours.scale == ValueScale::logarithmic) features |= shared::kLogarithmic;
    }
    if (layer.colouring == Colouring::colours && layer.values) features |= shared::kByColour;
    if (layer.colouring == Colouring::texture && layer.texture && kind != LayerKind::points)
        features |= shared::kByTexture;
    if (layer.backfaces && kind != LayerKind::points) features |= shared::kBackfaces;
    if (layer.colouring == Colouring::normals) features |= shared::kByNormal;
    if (scene.lighting == Lighting::matcap) features |= shared::kMatcap;
    if (scene.lighting == Lighting::fixed) features |= shared::kFixedLight;
    if (layer.unlit) features |= shared::kUnlit;
    if (layer.shading == Shading::flat || layer.shading == Shading::wireframe)
        features |= shared::kFlat;
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

bool isBehind(const Layer& layer, const OrbitCamera& camera) {
    constexpr float kSame = 1e-4F;  // share of the distance
    return !layer.backdropOf ||
           glm::distance(*layer.backdropOf, camera.eye()) <= kSame * camera.distance;
}

bool isSeen(const Layer& layer) {
    return layer.mesh && opacityOf(layer) > 0.0F;
}

bool isSurface(LayerKind kind) {
    return kind == LayerKind::smooth || kind == LayerKind::flat || kind == LayerKind::edges;
}

bool canBeOccluded(const Layer& layer) {
    return isSeen(layer) && !layer.unlit && !layer.mesh->faces.empty() && !isByValue(layer) &&
           layer.colouring != Colouring::normals && opacityOf(layer) == 1.0F &&
           (layer.shading == Shading::smooth || layer.shading == Shading::flat);
}

LayerForm formOf(const Scene& scene, const Layer& layer, const DeviceMesh& mesh, PipelineUse use) {
    const LayerKind kind = kindOf(layer, mesh);
    const std::uint32_t winding = mesh.eitherWay ? shared::kEitherWay : 0U;
    return {kind, use, featuresOf(scene, layer, kind) | winding,
            scene.occlusion && isSurface(kind) && canBeOccluded(layer)};
}

bool isOutlined(const Layer& layer) {
    return layer.outline && opacityOf(layer) == 1.0F;
}

LayerForm outlineOf(const Layer& layer, const DeviceMesh& mesh) {
    const bool discs = kindOf(layer, mesh) == LayerKind::points;
    const std::uint32_t cut = layer.from > 0.0F ? shared::kCut : 0U;
    return {discs ? LayerKind::pointsOutline : LayerKind::outline, PipelineUse::opaque,
            shared::kOutline | cut};
}

// Draws with the layer's viewport and scissor in place.
template <class Draw>
void forEachSeen(VkCommandBuffer commands, const Scene& scene, const PreparedScene& prepared,
                 std::span<const PaneView> views, const Draw& draw) {
    for (std::size_t i = 0; i < prepared.size(); ++i) {
        const PaneView& view = views[i];
        if (isEmpty(view.seen)) continue;
        const Pane& pane = scene.panes[i];
        setViewport(commands, view.viewport);
        for (std::size_t j = 0; j < prepared[i].size(); ++j) {
            const PreparedLayer& ready = prepared[i][j];
            const Layer& layer = pane.layers[j];
            if (!ready.mesh || !isBehind(layer, pane.camera)) continue;
            const PaneRect columns = columnsOf(view, layer.from, layer.to);
            if (isEmpty(columns)) continue;
            setScissor(commands, columns);
            shared::LayerConstants constants =
                layerConstants(scene, pane, layer, view, columns.x, *ready.mesh);
            draw(layer, ready, constants);
        }
    }
}

// `layout`: that of the layers' descriptors.
void recordLayer(VkCommandBuffer commands, const PreparedLayer& prepared,
                 const shared::LayerConstants& constants, VkPipelineLayout layout,
                 const LayerPipelines& pipelines, LayerForm form,
                 VkDescriptorSet occlusion = VK_NULL_HANDLE) {
    const DeviceMesh& mesh = *prepared.mesh;
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines.get(form));
    // For every draw: while lavapipe of Mesa 25 draws without a fragment shader, it loses what was
    // pushed for the next one.
    vkCmdPushConstants(commands, layout, kConstantStages, 0, sizeof(constants), &constants);
    const std::array sets{mesh.descriptors.set, prepared.values->descriptors.set, occlusion};
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0,
                            form.occluded ? 3 : 2, sets.data(), 0, nullptr);
    if (form.kind == LayerKind::smooth || form.kind == LayerKind::outline) {
        vkCmdBindIndexBuffer(commands, mesh.indices.buffer.handle(), 0, VK_INDEX_TYPE_UINT32);
        vkCmdDrawIndexed(commands, mesh.indexCount, 1, 0, 0, 0);
        return;
    }
    const bool discs = form.kind == LayerKind::points || form.kind == LayerKind::pointsOutline;
    vkCmdDraw(commands, discs ? mesh.vertexCount * shared::kDiscIndices : mesh.indexCount, 1, 0, 0);
}

}  // namespace

LayerPipelines::LayerPipelines(const Device& device, VkRenderPass pass,
                               VkSampleCountFlagBits samples)
    : device_(device),
      pass_(pass),
      samples_(samples),
      meshSet_(
          makeSetLayout(device, {{shared::kColourTableBinding, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1,
                                  VK_SHADER_STAGE_FRAGMENT_BIT},
                                 {shared::kVertexBinding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                  VK_SHADER_STAGE_VERTEX_BIT},
                                 {shared::kIndexBinding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                  VK_SHADER_STAGE_VERTEX_BIT}})),
      valueSet_(makeSetLayout(device, {{shared::kValueBinding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                        kConstantStages}})),
      occlusionSet_(makeSetLayout(
          device, {{shared::kOcclusionBinding, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
                    VK_SHADER_STAGE_FRAGMENT_BIT}})),
      layout_(makePipelineLayout(device, {meshSet_.get(), valueSet_.get(), occlusionSet_.get()},
                                 sizeof(shared::LayerConstants))) {
    static_assert(shared::kMeshSet == 0 && shared::kValueSet == 1 && shared::kOcclusionSet == 2);
}

void LayerPipelines::setPass(VkRenderPass pass, VkSampleCountFlagBits samples) {
    pass_ = pass;
    samples_ = samples;
    pipelines_.clear();
}

void LayerPipelines::need(LayerForm form) {
    form = reduced(form);
    if (pipelines_.contains(form)) return;
    PipelineForm made = shadersOf(form);
    // Depth alone needs a fragment shader only to cut fragments off.
    const bool depthAlone =
        form.use == PipelineUse::depthOnly || form.use == PipelineUse::depthPass;
    if (depthAlone && form.features == 0) made.fragmentCode = {};
    made.use = form.use;
    made.features = form.features;
    made.layout = layout_.get();
    made.pass = pass_;
    made.samples = samples_;
    pipelines_.emplace(form, makePipeline(device_, made));
}

VkPipeline LayerPipelines::get(LayerForm form) const {
    return pipelines_.at(reduced(form)).get();
}

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
        for (const Layer& layer : pane.layers)
            if (isSeen(layer) && !meshes_.ready(layer.mesh, then)) all = false;
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
            const bool coloured =
                layer.colouring == Colouring::values || layer.colouring == Colouring::colours;
            made.values = layer.colouring == Colouring::texture && layer.texture
                              ? values_.get(layer.texture, commands, kept)
                              : values_.get(coloured ? layer.values : nullptr, commands, kept);
            if (isOutlined(layer)) pipelines_.need(outlineOf(layer, *made.mesh));
            for (const PipelineUse use : usesOf(layer))
                pipelines_.need(formOf(scene, layer, *made.mesh, use));
        }
    }
    return prepared;
}

void LayerPainter::record(VkCommandBuffer commands, const Scene& scene,
                          const PreparedScene& prepared, std::span<const PaneView> views,
                          VkDescriptorSet occlusion) const {
    forEachSeen(
        commands, scene, prepared, views,
        [&](const Layer& layer, const PreparedLayer& ready, shared::LayerConstants& constants) {
            for (const PipelineUse use : usesOf(layer))
                recordLayer(commands, ready, constants, pipelines_.layout(), pipelines_,
                            formOf(scene, layer, *ready.mesh, use), occlusion);
            if (!isOutlined(layer)) return;
            constants.surface = linearFromSrgb(*layer.outline);
            recordLayer(commands, ready, constants, pipelines_.layout(), pipelines_,
                        outlineOf(layer, *ready.mesh));
        });
}

void LayerPainter::recordDepth(VkCommandBuffer commands, const Scene& scene,
                               const PreparedScene& prepared, std::span<const PaneView> views,
                               LayerPipelines& pipelines) const {
    forEachSeen(commands, scene, prepared, views,
                [&](const Layer& layer, const PreparedLayer& ready,
                    const shared::LayerConstants& constants) {
                    const LayerKind kind = kindOf(layer, *ready.mesh);
                    if (!isSurface(kind) || opacityOf(layer) < 1.0F) return;
                    const LayerForm form{kind, PipelineUse::depthPass};
                    pipelines.need(form);
                    recordLayer(commands, ready, constants, pipelines_.layout(), pipelines, form);
                });
}

void LayerPainter::submitted() {
    meshes_.submitted();
    values_.submitted();
}

}  // namespace threefold::render
