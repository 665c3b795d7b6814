#include "render/layer_pipelines.h"

#include <shaders/code.h>

#include "resources/shaders/shared.h"

namespace threefold::render {
namespace {

PipelineForm shadersOf(const LayerForm& form) {
    const ShaderCode surface =
        form.occluded ? ShaderCode(kSurfaceOccludedFragment) : kSurfaceFragment;
    const ShaderCode edges = form.occluded ? ShaderCode(kEdgesOccludedFragment) : kEdgesFragment;
    switch (form.kind) {
        case LayerKind::smooth:
            return {.vertexCode = kSmoothVertex, .fragmentCode = surface};
        case LayerKind::flat:
            return {.vertexCode = kFlatVertex, .fragmentCode = surface};
        case LayerKind::edges:
            return {.vertexCode = kLinesVertex, .fragmentCode = edges};
        case LayerKind::wireframe:
            return {.vertexCode = kLinesVertex, .fragmentCode = kWireframeFragment};
        case LayerKind::outline:
            return {.vertexCode = kOutlineVertex, .fragmentCode = kOutlineFragment};
        case LayerKind::pointsOutline:
        case LayerKind::points:
            break;
    }
    return {.vertexCode = kPointsVertex, .fragmentCode = kPointsFragment};
}

// Features of colour make no difference where only depth is written.
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
      meshSet_(makeSetLayout(
          device,
          {{shared::kColourTableBinding, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
            VK_SHADER_STAGE_FRAGMENT_BIT},
           {shared::kVertexBinding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_VERTEX_BIT},
           {shared::kIndexBinding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            VK_SHADER_STAGE_VERTEX_BIT}})),
      valueSet_(makeSetLayout(
          device, {{shared::kValueBinding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kConstantStages}})),
      occlusionSet_(makeSetLayout(
          device, {{shared::kOcclusionBinding, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                    VK_SHADER_STAGE_FRAGMENT_BIT}})),
      layout_(makePipelineLayout(device, {meshSet_.get(), valueSet_.get(), occlusionSet_.get()},
                                 sizeof(shared::LayerConstants))) {
    static_assert(shared::kMeshSet == 0 && shared::kValueSet == 1 && shared::kOcclusionSet == 2);
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

}  // namespace threefold::render
