#pragma once

#include <compare>
#include <map>

#include "render/pipeline.h"

namespace threefold::render {

/// Drawing method of a layer; each has its own shaders.
enum class LayerKind {
    smooth,         ///< indexed, no lines
    flat,           ///< face by face, no lines
    edges,          ///< face by face, lines upon the surface
    wireframe,      ///< face by face, lines only
    points,         ///< discs
    outline,        ///< indexed, line around the silhouette
    pointsOutline,  ///< line around discs
};

/// Key of a layer's pipeline.
struct LayerPipelineKey {
    LayerKind kind = LayerKind::smooth;
    DrawMode drawMode = DrawMode::opaque;
    LayerFeatures features = 0;
    bool bindsAmbientOcclusion = false;  ///< surfaces only

    // NOLINTNEXTLINE(modernize-use-nullptr): clang 14 takes the compared zero for a pointer
    auto operator<=>(const LayerPipelineKey&) const = default;
};

/// Pipelines of layers, each made on first use to keep start-up short. The device must outlive the
/// object.
class LayerPipelines {
  public:
    /// Throws DeviceError.
    LayerPipelines(const Device& device, VkRenderPass pass, VkSampleCountFlagBits samples);

    /// Discards all pipelines, for another pass. The device must be idle.
    void setPass(VkRenderPass pass, VkSampleCountFlagBits samples);

    /// Makes the pipeline unless it exists. Throws DeviceError.
    void ensure(LayerPipelineKey key);
    /// Returns a pipeline that ensure() made. Throws std::out_of_range for another key.
    VkPipeline get(LayerPipelineKey key) const;

    VkPipelineLayout layout() const { return layout_.get(); }
    VkDescriptorSetLayout meshSetLayout() const { return meshSetLayout_.get(); }
    VkDescriptorSetLayout valueSetLayout() const { return valueSetLayout_.get(); }
    VkDescriptorSetLayout ambientOcclusionSetLayout() const {
        return ambientOcclusionSetLayout_.get();
    }

  private:
    const Device& device_;
    VkRenderPass pass_;
    VkSampleCountFlagBits samples_;
    DescriptorSetLayoutHandle meshSetLayout_, valueSetLayout_, ambientOcclusionSetLayout_;
    PipelineLayoutHandle layout_;
    std::map<LayerPipelineKey, PipelineHandle> pipelines_;
};

}  // namespace threefold::render
