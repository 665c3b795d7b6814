#pragma once

#include "render/profile_panel_view.h"
#include "render/render_pass.h"

namespace threefold::render {

/// Draws the live profile over a picture with Dear ImGui, in a context of its own. The device must
/// outlive the panel. For one thread at a time.
class ProfilePanel {
  public:
    /// Creates no device objects yet: prepare() does. `pass` has one subpass of format
    /// `passFormat`.
    ProfilePanel(const Device& device, const PassFormat& passFormat, VkRenderPass pass);

    /// Makes glyphs for a new font or scale and records their upload, outside of the pass.
    /// `resources` keeps used glyphs alive. `scale`: device pixels per logical pixel. Throws
    /// DeviceError.
    void prepare(VkCommandBuffer commands, ProfilePanelViewRef view, float scale,
                 FrameResources& resources);

    /// Draws the prepared view, inside of the pass, at its end. Throws DeviceError.
    void record(VkCommandBuffer commands, VkExtent2D extent);

    /// Notes that the recorded commands were submitted.
    void markSubmitted();

    /// CPU time of preparing and recording the last frame, in milliseconds.
    double milliseconds() const { return prepareMilliseconds_ + recordMilliseconds_; }

  private:
    class Painter;

    const Device& device_;
    PassFormat passFormat_;
    VkRenderPass pass_;
    ProfilePanelViewRef view_;
    std::shared_ptr<Painter> painter_;
    double prepareMilliseconds_ = 0;
    double recordMilliseconds_ = 0;
};

}  // namespace threefold::render
