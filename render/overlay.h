#pragma once

#include "render/overlay_view.h"
#include "render/render_pass.h"

namespace threefold::render {

/// Draws the live profile over a picture with Dear ImGui, in its own context. The device must
/// outlive it. One thread at a time.
class Overlay {
  public:
    /// Draws in the only subpass of `pass`, which has this form.
    Overlay(const Device& device, const PassForm& form, VkRenderPass pass);

    /// Outside of the pass: makes glyphs for a new font or scale and records their upload. `kept`
    /// holds glyphs in use. `scale`: device pixels per logical pixel. Throws DeviceError.
    void prepare(VkCommandBuffer commands, OverlayViewRef view, float scale, KeptAlive& kept);

    /// Inside of the pass, at its end: draws the prepared view. Throws DeviceError.
    void record(VkCommandBuffer commands, VkExtent2D extent);

    /// The recorded commands were submitted.
    void submitted();

    /// CPU time of preparing and recording the last frame.
    double milliseconds() const { return prepareMilliseconds_ + recordMilliseconds_; }

  private:
    class Painter;

    const Device& device_;
    PassForm form_;
    VkRenderPass pass_;
    OverlayViewRef view_;
    std::shared_ptr<Painter> painter_;
    double prepareMilliseconds_ = 0;
    double recordMilliseconds_ = 0;
};

}  // namespace threefold::render
