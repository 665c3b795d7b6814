#pragma once

#include "render/layer_painter.h"

namespace threefold::render {

/// Radius in device pixels within which other pixels determine a pixel's occlusion: the margin that
/// a tile needs to equal the whole picture. 0 if the scene shows no ambient occlusion.
int ambientOcclusionMargin(const Scene& scene);

/// Screen-space ambient occlusion. Draws the depth of all opaque surfaces with one sample a pixel,
/// then computes the occluded fraction of ambient light for each pixel and blurs it. The layers'
/// shaders reduce only their ambient light by this fraction; highlights, translucent surfaces and
/// colours that stand for values are not darkened. For one thread; the device must outlive the
/// object and be idle at its destruction.
class AmbientOcclusion {
  public:
    /// Throws DeviceError.
    explicit AmbientOcclusion(const Device& device);

    /// Records the depth, occlusion and blur passes, outside a render pass, for layers that
    /// `layers` prepared in the same commands. `resources` must live until the commands are done.
    /// Throws DeviceError.
    void recordPasses(VkCommandBuffer commands, const Scene& scene, LayerPainter& layers,
                      const PreparedScene& prepared, std::span<const PaneView> views,
                      VkExtent2D extent, FrameResources& resources);

    /// Descriptor set for LayerPainter::record, for the scene of the last recordPasses().
    VkDescriptorSet descriptorSet() const;

  private:
    struct Images;

    void recordOcclusion(VkCommandBuffer commands, const Scene& scene,
                         const PreparedScene& prepared, std::span<const PaneView> views,
                         VkPipeline pipeline) const;

    const Device& device_;
    SamplerHandle sampler_;
    DescriptorSetLayoutHandle setLayout_;
    PipelineLayoutHandle layout_;
    RenderPassHandle depthPass_, occlusionPass_;
    LayerPipelines depthPipelines_;
    PipelineHandle occlusionPipeline_, blurPipeline_;
    std::shared_ptr<Images> images_;
};

}  // namespace threefold::render
