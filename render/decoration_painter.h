#pragma once

#include "render/pane_view.h"
#include "render/pipeline.h"
#include "resources/shaders/shared.h"

namespace threefold::render {

/// Draws a pane's parts other than meshes: the ground, with a depth test; then markers, axes, seams
/// and dividers, over the meshes and without a depth test. For one thread; the device must outlive
/// the painter.
class DecorationPainter {
  public:
    /// Throws DeviceError.
    DecorationPainter(const Device& device, VkRenderPass pass, VkSampleCountFlagBits samples);

    /// Makes pipelines when a scene first needs them, to keep start-up short. Throws DeviceError.
    void prepare(const Scene& scene);

    /// Records the grounds of a prepared scene inside the render pass, after its layers.
    /// `views`: one per pane.
    void recordGrounds(VkCommandBuffer commands, const Scene& scene,
                       std::span<const PaneView> views) const;

    /// Records the decorations of a prepared scene inside the render pass. `views`: one per
    /// pane; `extent`: the target's size.
    void record(VkCommandBuffer commands, const Scene& scene, std::span<const PaneView> views,
                VkExtent2D extent) const;

  private:
    struct QuadPipeline {
        PipelineLayoutHandle layout;
        PipelineHandle pipeline;  ///< empty until a scene needs it
    };
    void makeIfMissing(QuadPipeline& quads, PipelineDescription description);

    const Device& device_;
    VkRenderPass pass_;
    VkSampleCountFlagBits samples_;
    QuadPipeline ground_, decoration_;
};

/// Strokes of the axis indicator in the bottom left corner of a pane: x (red), y (green), z (blue),
/// each with its letter, the farthest axis first. In device pixels of the target; `ratio`: device
/// pixels per logical pixel.
std::vector<shared::DecorationConstants> axisIndicatorStrokes(const OrbitCamera& camera,
                                                              const PixelRect& pane, float ratio);

}  // namespace threefold::render
