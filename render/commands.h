#pragma once

#include <cstdint>

#include <vulkan/vulkan.h>

#include "render/device.h"
#include "render/handle.h"

namespace threefold::render {

/// One command buffer that is recorded anew for each frame.
class Commands {
  public:
    explicit Commands(const Device& device);

    VkCommandBuffer handle() const { return buffer_; }
    /// Drops what was recorded and starts anew. The device must be done with it.
    void begin();
    void end();

  private:
    VkDevice device_;
    CommandPoolHandle pool_;
    VkCommandBuffer buffer_ = VK_NULL_HANDLE;
};

FenceHandle makeFence(const Device& device, bool signalled);
SemaphoreHandle makeSemaphore(const Device& device);

/// Waits until the fence is signalled; throws DeviceError where the device takes over ten seconds.
void waitFor(const Device& device, VkFence fence);

}  // namespace threefold::render
