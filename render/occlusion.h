#pragma once

#include <memory>
#include <span>

#include <vulkan/vulkan.h>

#include "render/layer_painter.h"
#include "render/layer_pipelines.h"
#include "render/pane_view.h"
#include "render/scene.h"
#include "render/upload.h"

namespace threefold::render {

/// How far from a pixel its occlusion is looked for, in device pixels, at most: what a tile must
/// hold around itself to look as it does in the whole picture.
int occlusionReach(const Scene& scene);

/// Ambient occlusion in screen space: the depth of a picture's opaque surfaces drawn first, with
/// one sample a pixel; from it, how much of its ambient light each pixel lacks. The layers' own
/// shaders take that off the ambient part of their light, so that highlights, what is translucent
/// and colours that say something stay as they are.
/// One thread only; the device must outlive it and be idle when it goes.
class Occlusion {
  public:
    /// Throws DeviceError.
    explicit Occlusion(const Device& device);
    ~Occlusion();
    Occlusion(const Occlusion&) = delete;
    Occlusion& operator=(const Occlusion&) = delete;

    /// Records what comes before the picture, outside of a render pass, for layers that `layers`
    /// prepared in the same commands. `kept` must live until they are done. Throws DeviceError.
    void prepare(VkCommandBuffer commands, const Scene& scene, LayerPainter& layers,
                 const PreparedScene& prepared, std::span<const PaneView> views, VkExtent2D extent,
                 KeptAlive& kept);

    /// What LayerPainter::record needs for the scene prepared last.
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
