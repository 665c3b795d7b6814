#include "render/layer_pipelines.h"

#include <utility>

#include <shaders/code.h>

#include "resources/shaders/shared.h"

namespace threefold::render {
namespace {

PipelineDescription shadersOf(const LayerPipelineKey& key) {
    const ShaderCode surface =
        key.bindsAmbientOcclusion ? ShaderCode(kSurfaceOccludedFragment) : kSurfaceFragment;
    const ShaderCode edges =
        key.bindsAmbientOcclusion ? ShaderCode(kEdgesOccludedFragment) : kEdgesFragment;
    switch (key.kind) {
        case LayerKind::smooth:
            return {.vertexShader = kSmoothVertex, .fragmentShader = surface};
        case LayerKind::flat:
            return {.vertexShader = kFlatVertex, .fragmentShader = surface};
        case LayerKind::edges:
            return {.vertexShader = kLinesVertex, .fragmentShader = edges};
        case LayerKind::wireframe:
            return {.vertexShader = kLinesVertex, .fragmentShader = kWireframeFragment};
        case LayerKind::outline:
            return {.vertexShader = kOutlineVertex, .fragmentShader = kOutlineFragment};
        case LayerKind::points:
        case LayerKind::pointsOutline:
            return {.vertexShader = kPointsVertex, .fragmentShader = kPointsFragment};
    }
    return {};
}

// Drops features of colour from keys of depth-only pipelines, which do not need them.
LayerPipelineKey withoutColourFeatures(LayerPipelineKey key) {
    if (key.drawMode == DrawMode::depthOnly) key.features &= shared::kCut;
    if (key.drawMode == DrawMode::depthWithoutColour) key.features = 0;
    return key;
}

}  // namespace

LayerPipelines::LayerPipelines(const Device& device, VkRenderPass pass,
                               VkSampleCountFlagBits samples)
    : device_(device),
      pass_(pass),
      samples_(samples),
      meshSetLayout_(makeDescriptorSetLayout(
          device, {{shared::kColourTableBinding, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1,
                    VK_SHADER_STAGE_FRAGMENT_BIT},
                   {shared::kVertexBinding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                    VK_SHADER_STAGE_VERTEX_BIT},
                   {shared::kIndexBinding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                    VK_SHADER_STAGE_VERTEX_BIT}})),
      valueSetLayout_(makeDescriptorSetLayout(
          device,
          {{shared::kValueBinding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, kConstantStages}})),
      ambientOcclusionSetLayout_(makeDescriptorSetLayout(
          device, {{shared::kOcclusionBinding, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
                    VK_SHADER_STAGE_FRAGMENT_BIT}})),
      layout_(makePipelineLayout(
          device, {meshSetLayout_.get(), valueSetLayout_.get(), ambientOcclusionSetLayout_.get()},
          sizeof(shared::LayerConstants))) {
    static_assert(shared::kMeshSet == 0 && shared::kValueSet == 1 && shared::kOcclusionSet == 2);
}

void LayerPipelines::setPass(VkRenderPass pass, VkSampleCountFlagBits samples) {
    pass_ = pass;
    samples_ = samples;
    pipelines_.clear();
}

void LayerPipelines::ensure(LayerPipelineKey key) {
    key = withoutColourFeatures(key);
    if (pipelines_.contains(key)) return;
    PipelineDescription description = shadersOf(key);
    // A depth-only pipeline needs a fragment shader only to discard fragments.
    const bool depthAlone =
        key.drawMode == DrawMode::depthOnly || key.drawMode == DrawMode::depthWithoutColour;
    if (depthAlone && key.features == 0) description.fragmentShader = {};
    description.drawMode = key.drawMode;
    description.features = key.features;
    description.layout = layout_.get();
    description.pass = pass_;
    description.samples = samples_;
    pipelines_.emplace(key, makePipeline(device_, description));
}

VkPipeline LayerPipelines::get(LayerPipelineKey key) const {
    return pipelines_.at(withoutColourFeatures(key)).get();
}

}  // namespace threefold::render
