#include "render/layer_pipelines.h"

#include <array>

#include "render/shader_code.h"
#include "resources/shaders/shared.h"

namespace threefold::render {
namespace {

VkDescriptorSetLayoutBinding binding(std::uint32_t place, VkDescriptorType type,
                                     VkShaderStageFlags stages) {
    return {.binding = place, .descriptorType = type, .descriptorCount = 1, .stageFlags = stages};
}

SetLayoutHandle makeMeshSet(const Device& device) {
    const std::array bindings{
        binding(shared::kColourTableBinding, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                VK_SHADER_STAGE_FRAGMENT_BIT),
        binding(shared::kVertexBinding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                VK_SHADER_STAGE_VERTEX_BIT),
        binding(shared::kIndexBinding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                VK_SHADER_STAGE_VERTEX_BIT)};
    return makeSetLayout(device, bindings);
}

SetLayoutHandle makeValueSet(const Device& device) {
    const std::array bindings{binding(shared::kValueBinding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                      VK_SHADER_STAGE_VERTEX_BIT)};
    return makeSetLayout(device, bindings);
}

SetLayoutHandle makeOcclusionSet(const Device& device) {
    const std::array bindings{binding(shared::kOcclusionBinding,
                                      VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                      VK_SHADER_STAGE_FRAGMENT_BIT)};
    return makeSetLayout(device, bindings);
}

PipelineLayoutHandle makeLayout(const Device& device, VkDescriptorSetLayout meshSet,
                                VkDescriptorSetLayout valueSet,
                                VkDescriptorSetLayout occlusionSet) {
    static_assert(shared::kMeshSet == 0 && shared::kValueSet == 1 && shared::kOcclusionSet == 2);
    const std::array sets{meshSet, valueSet, occlusionSet};
    return makePipelineLayout(device, sets, sizeof(shared::LayerConstants));
}

PipelineForm shadersOf(const LayerForm& form) {
    const auto surface = form.occluded ? surfaceOccludedFragmentCode() : surfaceFragmentCode();
    const auto edges = form.occluded ? edgesOccludedFragmentCode() : edgesFragmentCode();
    switch (form.kind) {
        case LayerKind::smooth:
            return {.vertexCode = smoothVertexCode(), .fragmentCode = surface};
        case LayerKind::flat:
            return {.vertexCode = flatVertexCode(), .fragmentCode = surface};
        case LayerKind::edges:
            return {.vertexCode = linesVertexCode(), .fragmentCode = edges};
        case LayerKind::wireframe:
            return {.vertexCode = linesVertexCode(), .fragmentCode = wireframeFragmentCode()};
        case LayerKind::points:
            break;
    }
    return {.vertexCode = pointsVertexCode(), .fragmentCode = pointsFragmentCode()};
}

// Depth knows no colour.
LayerForm reduced(LayerForm form) {
    if (form.use == PipelineUse::depthOnly) form.features &= shared::kCut;
    if (form.use == PipelineUse::depthPass) form.features = 0;
    return form;
}

}  // namespace

LayerPipelines::LayerPipelines(const Device& device, VkRenderPass pass,
                               VkSampleCountFlagBits samples)
    : device_(device),
      pass_(pass),
      samples_(samples),
      meshSet_(makeMeshSet(device)),
      valueSet_(makeValueSet(device)),
      occlusionSet_(makeOcclusionSet(device)),
      layout_(makeLayout(device, meshSet_.get(), valueSet_.get(), occlusionSet_.get())) {}

void LayerPipelines::need(LayerForm form) {
    form = reduced(form);
    if (pipelines_.contains(form)) return;
    PipelineForm made = shadersOf(form);
    // Depth alone needs no fragments, but for those that are cut off.
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

}  // namespace threefold::render
