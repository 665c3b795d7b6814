#pragma once

#include "render/pane_view.h"
#include "render/pipeline.h"
#include "resources/shaders/shared.h"

namespace threefold::render {

/// Draws what a pane shows besides its meshes: the ground behind them; markers, seams and the lines
/// between panes over them, regardless of depth. One thread only; the device must outlive it.
class DecorationPainter {
  public:
    /// Throws DeviceError.
    DecorationPainter(const Device& device, VkRenderPass pass, VkSampleCountFlagBits samples);

    /// Makes each pipeline once a scene needs it, to keep start-up short. Throws DeviceError.
    void prepare(const Scene& scene);

    /// Records the grounds of a prepared scene inside of the render pass, after its layers.
    /// `views`: one per pane.
    void recordGrounds(VkCommandBuffer commands, const Scene& scene,
                       std::span<const PaneView> views) const;

    /// Records the decorations of a prepared scene inside of the render pass. `views`: one per
    /// pane; `extent`: the target's size.
    void record(VkCommandBuffer commands, const Scene& scene, std::span<const PaneView> views,
                VkExtent2D extent) const;

  private:
    struct Quads {
        PipelineLayoutHandle layout;
        PipelineHandle pipeline;  ///< empty until a scene needs it
    };
    void need(Quads& quads, PipelineForm form);

    const Device& device_;
    VkRenderPass pass_;
    VkSampleCountFlagBits samples_;
    Quads ground_, decoration_;
};

/// The strokes that show the directions of x (red), y (green) and z (blue) in the bottom left
/// corner of a pane, each with its letter; the farthest axis first. In device pixels of the target;
/// `ratio`: of them to a logical one.
std::vector<shared::DecorationConstants> axesOf(const OrbitCamera& camera, const PaneRect& pane,
                                                float ratio);

}  // namespace threefold::render
