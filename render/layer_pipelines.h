#pragma once

#include <compare>
#include <cstdint>
#include <map>

#include "render/pipeline.h"

namespace threefold::render {

/// How a layer is drawn; each kind has its own shaders.
enum class LayerKind {
    smooth,         ///< indexed, no lines
    flat,           ///< face by face, no lines
    edges,          ///< face by face, lines upon the surface
    wireframe,      ///< face by face, lines only
    points,         ///< discs
    outline,        ///< indexed, the line around the silhouette
    pointsOutline,  ///< the same around discs
};

/// What a pipeline is made for. `features`: shared::kByValue and so on.
struct LayerForm {
    LayerKind kind = LayerKind::smooth;
    PipelineUse use = PipelineUse::opaque;
    std::uint32_t features = 0;
    bool occluded = false;  ///< the occlusion set is bound, too; surfaces only

    // NOLINTNEXTLINE(modernize-use-nullptr): clang 14 takes the zero it compares with for a pointer
    auto operator<=>(const LayerForm&) const = default;
};

/// The pipelines of layers, each made on first use to keep start-up short. The device must outlive
/// it.
class LayerPipelines {
  public:
    /// Throws DeviceError.
    LayerPipelines(const Device& device, VkRenderPass pass, VkSampleCountFlagBits samples);

    /// Makes the pipeline unless it exists. Throws DeviceError.
    void need(LayerForm form);
    /// A pipeline that need() made before.
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
