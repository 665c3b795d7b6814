#pragma once

#include <span>

#include <vulkan/vulkan.h>

#include "render/pane_view.h"
#include "render/pipeline.h"
#include "render/scene.h"
#include "resources/shaders/shared.h"

namespace threefold::render {

/// Draws the grounds of panes behind their meshes. One thread only; the device must outlive it.
class GroundPainter {
  public:
    /// Throws DeviceError.
    GroundPainter(const Device& device, VkRenderPass pass, VkSampleCountFlagBits samples);

    /// Makes the pipeline once a scene has a ground, to keep start-up short. Throws DeviceError.
    void prepare(const Scene& scene);

    /// Records the grounds of a prepared scene inside of the render pass, after its layers.
    /// `views`: one per pane.
    void record(VkCommandBuffer commands, const Scene& scene,
                std::span<const PaneView> views) const;

  private:
    const Device& device_;
    VkRenderPass pass_;
    VkSampleCountFlagBits samples_;
    PipelineLayoutHandle layout_;
    PipelineHandle pipeline_;
};

/// Draws markers, seams and the lines between panes over the meshes, regardless of depth.
/// One thread only; the device must outlive it.
class DecorationPainter {
  public:
    /// Throws DeviceError.
    DecorationPainter(const Device& device, VkRenderPass pass, VkSampleCountFlagBits samples);

    /// Makes the pipeline once a scene has decorations, to keep start-up short. Throws DeviceError.
    void prepare(const Scene& scene);

    /// Records the decorations of a prepared scene inside of the render pass. `views`: one per
    /// pane; `extent`: the target's size.
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
