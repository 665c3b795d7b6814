#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "render/pipeline.h"

namespace threefold::render {

/// The ways to draw a layer; each has its shaders.
enum class LayerKind {
    smooth,     ///< indexed, no lines
    flat,       ///< face by face, no lines
    edges,      ///< face by face, lines upon the surface
    wireframe,  ///< face by face, lines only
    points,     ///< discs
};

/// One way to draw: shared::kByValue and so on are its features.
struct LayerForm {
    LayerKind kind = LayerKind::smooth;
    PipelineUse use = PipelineUse::opaque;
    std::uint32_t features = 0;
    bool occluded = false;  ///< the occlusion set is bound, too; surfaces only

    bool operator<(const LayerForm& other) const {
        return std::tie(kind, use, features, occluded) <
               std::tie(other.kind, other.use, other.features, other.occluded);
    }
};

/// The pipelines of layers, each made when it is first asked for: a start pays for one, not for
/// all. The device must outlive it.
class LayerPipelines {
  public:
    /// Throws DeviceError.
    LayerPipelines(const Device& device, VkRenderPass pass, VkSampleCountFlagBits samples);

    /// Makes what `get` gives. Throws DeviceError.
    void need(LayerForm form);
    /// One that was needed before.
    VkPipeline get(LayerForm form) const;

    VkPipelineLayout layout() const { return layout_.get(); }
    VkDescriptorSetLayout meshSet() const { return meshSet_.get(); }
    VkDescriptorSetLayout valueSet() const { return valueSet_.get(); }
    VkDescriptorSetLayout occlusionSet() const { return occlusionSet_.get(); }

  private:
    const Device& device_;
    VkRenderPass pass_;
    VkSampleCountFlagBits samples_;
    SetLayoutHandle meshSet_, valueSet_, occlusionSet_;
    PipelineLayoutHandle layout_;
    std::map<LayerForm, PipelineHandle> pipelines_;
};

}  // namespace threefold::render
