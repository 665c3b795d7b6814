#pragma once

#include <span>

#include <vulkan/vulkan.h>

#include "render/pane_view.h"
#include "render/pipeline.h"
#include "render/scene.h"
#include "resources/shaders/shared.h"

namespace threefold::render {

/// Draws what lies upon the meshes, whatever their depth: markers, seams, the lines between panes.
/// One thread only; the device must outlive it.
class DecorationPainter {
  public:
    /// Throws DeviceError.
    DecorationPainter(const Device& device, VkRenderPass pass, VkSampleCountFlagBits samples);

    /// Makes what the scene's decorations need: a start without any does not pay for them. Throws
    /// DeviceError.
    void prepare(const Scene& scene);

    /// The scene was prepared. Inside of the render pass; `views` has one for each pane, `extent`
    /// is the target's size.
    void record(VkCommandBuffer commands, const Scene& scene, std::span<const PaneView> views,
                VkExtent2D extent) const;

  private:
    void draw(VkCommandBuffer commands, const shared::DecorationConstants& shape) const;

    const Device& device_;
    VkRenderPass pass_;
    VkSampleCountFlagBits samples_;
    PipelineLayoutHandle layout_;
    PipelineHandle pipeline_;
};

}  // namespace threefold::render
