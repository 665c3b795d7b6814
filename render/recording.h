#pragma once

#include <glm/mat4x4.hpp>

#include "render/device.h"
#include "render/handle.h"
#include "render/pane_view.h"
#include "render/vulkan_check.h"

namespace threefold::render {

/// A command buffer, recorded anew for each frame.
class CommandBuffer {
  public:
    /// Throws DeviceError.
    explicit CommandBuffer(const Device& device);

    VkCommandBuffer handle() const { return buffer_; }
    /// Discards the recorded commands, which the device must have finished, and begins recording.
    /// Throws DeviceError.
    void begin();
    /// Ends recording. Throws DeviceError.
    void end() { VK_CHECK(vkEndCommandBuffer(buffer_)); }

  private:
    VkDevice device_;
    CommandPoolHandle pool_;
    VkCommandBuffer buffer_ = VK_NULL_HANDLE;
};

/// Makes a fence that is not signalled. Throws DeviceError.
FenceHandle makeFence(const Device& device);
/// Makes a fence that is signalled. Throws DeviceError.
FenceHandle makeSignalledFence(const Device& device);
/// Makes a binary semaphore. Throws DeviceError.
SemaphoreHandle makeSemaphore(const Device& device);

/// Sets the viewport to a rectangle of the target, with depths from 0 to 1.
void setViewport(VkCommandBuffer commands, const PixelRect& rect);
/// Sets the scissor to a rectangle of the target.
void setScissor(VkCommandBuffer commands, const PixelRect& rect);

/// Clear colour that gives exactly round(255 × channel) per byte. Rounds the channels in advance,
/// because drivers may round halves either way.
VkClearColorValue clearColour(glm::vec4 encoded);

/// Fills a rectangle inside the render pass with the exact bytes of clearColour().
void fillRectangle(VkCommandBuffer commands, const PixelRect& rect, glm::vec4 encoded);

/// Sets the push constants that all shaders of a pane share: view, projection, near plane, pixel
/// ratio, and the pane's size and position in the viewport.
template <class Constants>
void setView(Constants& constants, const Scene& scene, const Pane& pane, const PaneView& view) {
    const glm::mat4 matrix = pane.camera.viewMatrix();
    const auto row = [&matrix](int i) {
        return glm::vec4(matrix[0][i], matrix[1][i], matrix[2][i], matrix[3][i]);
    };
    const glm::vec2 size = sizeOf(view.whole);
    const glm::mat4 projection = pane.camera.projectionMatrix(size.x / size.y);
    constants.viewRow0 = row(0);
    constants.viewRow1 = row(1);
    constants.viewRow2 = row(2);
    constants.projection = {projection[0][0], projection[1][1]};
    constants.wholeSize = size;
    constants.shift = centreOf(view.whole) - centreOf(view.viewport);
    constants.viewportSize = sizeOf(view.viewport);
    constants.nearPlane = -projection[3][2];
    constants.pixelRatio = pixelRatioOf(scene);
}

}  // namespace threefold::render
