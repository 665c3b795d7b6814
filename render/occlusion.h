#pragma once

#include "render/layer_painter.h"

namespace threefold::render {

/// The largest distance in device pixels at which a pixel's occlusion is sampled: the margin that a
/// tile needs to look as it does in the whole picture.
int occlusionReach(const Scene& scene);

/// Ambient occlusion in screen space: draws the depth of all opaque surfaces with one sample a
/// pixel, then computes the share of ambient light that each pixel loses. The layers' shaders
/// subtract it from their ambient light only; highlights, translucent surfaces and colours that
/// stand for values are not darkened.
/// One thread only; the device must outlive it and be idle when it is destroyed.
class Occlusion {
  public:
    /// Throws DeviceError.
    explicit Occlusion(const Device& device);

    /// Records the passes before the picture, outside of a render pass, for layers that `layers`
    /// prepared in the same commands. `kept` must live until they are done. Throws DeviceError.
    void prepare(VkCommandBuffer commands, const Scene& scene, LayerPainter& layers,
                 const PreparedScene& prepared, std::span<const PaneView> views, VkExtent2D extent,
                 KeptAlive& kept);

    /// The set for LayerPainter::record of the scene prepared last.
    VkDescriptorSet shares() const;

  private:
    struct Images;

    void recordShares(VkCommandBuffer commands, const Scene& scene, const PreparedScene& prepared,
                      std::span<const PaneView> views, VkPipeline pipeline) const;

    const Device& device_;
    SamplerHandle sampler_;
    SetLayoutHandle set_;
    PipelineLayoutHandle layout_;
    RenderPassHandle depthPass_, sharePass_;
    LayerPipelines depthPipelines_;
    PipelineHandle sharePipeline_, blurPipeline_;
    std::shared_ptr<Images> images_;
};

}  // namespace threefold::render
