#pragma once

#include <vulkan/vulkan.h>

namespace threefold::render {

/// Draws upon the finished picture, inside of its render pass.
class OverlayPainter {
  public:
    virtual ~OverlayPainter() = default;

    /// Records into `commands`; pipelines must fit Renderer::pass() and Renderer::form(). Viewport,
    /// scissor, pipeline and descriptor sets are its own to set. Called once a picture, on the
    /// thread that records it. Throws DeviceError.
    virtual void record(VkCommandBuffer commands, VkExtent2D extent) const = 0;
};

}  // namespace threefold::render
