#pragma once

#include <functional>
#include <optional>

#include "render/ambient_occlusion.h"
#include "render/decoration_painter.h"
#include "render/profile_panel.h"

namespace threefold::render {

/// Records scenes for one picture format: layers, grounds, decorations, profile panel. The device
/// must outlive the renderer and be idle at its destruction. For one thread.
class Renderer {
  public:
    /// Throws DeviceError.
    Renderer(const Device& device, VkFormat format, VkImageLayout finalLayout);

    /// Changes the number of samples per pixel; framebuffers of the old pass() become invalid. The
    /// device must be idle. Throws DeviceError.
    void setSamples(VkSampleCountFlagBits samples);

    const PassFormat& passFormat() const { return passFormat_; }
    VkRenderPass pass() const { return pass_.get(); }

    /// Whether prepare() need not wait for any mesh of the scene.
    bool isReady(const Scene& scene) const { return layers_.isReady(scene); }

    /// Calls LayerPainter::startPreparing().
    void startPreparing(const Scene& scene, const std::function<void()>& onReady) {
        layers_.startPreparing(scene, onReady);
    }

    /// Records the scene's uploads, outside a render pass. Throws as LayerPainter::prepare.
    PreparedScene prepare(VkCommandBuffer commands, const Scene& scene, VkExtent2D extent,
                          FrameResources& resources);

    /// Records the picture of a prepared scene. `clear`: colour of the background in the picture.
    /// The `resources` of `prepare` must live until the commands are done.
    void record(VkCommandBuffer commands, const Scene& scene, const PreparedScene& prepared,
                glm::vec4 clear, VkFramebuffer framebuffer, VkExtent2D extent) const;

    /// Notes that the recorded commands were submitted.
    void markSubmitted();

    /// CPU time of the last frame's profile panel in milliseconds; 0 without one.
    double profileMilliseconds() const { return profilePanel_ ? profilePanel_->milliseconds() : 0; }

  private:
    std::vector<PaneView> views(const Scene& scene, VkExtent2D extent) const;

    const Device& device_;
    PassFormat passFormat_;
    RenderPassHandle pass_;
    LayerPainter layers_;
    std::optional<DecorationPainter> decorations_;
    std::shared_ptr<AmbientOcclusion> ambientOcclusion_;  // null: the scene has none
    std::shared_ptr<ProfilePanel> profilePanel_;          // null: the scene has none
};

}  // namespace threefold::render
