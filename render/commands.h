#pragma once

#include <vulkan/vulkan.h>

#include "render/device.h"
#include "render/handle.h"

namespace threefold::render {

/// One command buffer, recorded again for each frame.
class Commands {
  public:
    explicit Commands(const Device& device);

    VkCommandBuffer handle() const { return buffer_; }
    /// Discards the recorded commands and starts again. The device must be done with them.
    void begin();
    void end();

  private:
    VkDevice device_;
    CommandPoolHandle pool_;
    VkCommandBuffer buffer_ = VK_NULL_HANDLE;
};

FenceHandle makeFence(const Device& device, bool signalled);
SemaphoreHandle makeSemaphore(const Device& device);

/// Waits for the fence; throws DeviceError after ten seconds.
void waitFor(const Device& device, VkFence fence);

}  // namespace threefold::render
