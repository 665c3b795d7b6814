#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "render/device.h"
#include "render/handle.h"

namespace threefold::render {

/// Who accesses a buffer's memory, and how.
enum class MemoryUse {
    device,    ///< read and written by the device only
    shared,    ///< device memory written by the processor; only for devices with hasSharedMemory()
    upload,    ///< written by the processor, read once by the device
    readback,  ///< written by the device, read by the processor (cached where possible)
};

/// Owns device memory and counts it in Device::allocatedBytes(). Movable like a Handle.
class MemoryHandle {
  public:
    MemoryHandle() = default;
    MemoryHandle(const Device& device, VkDeviceMemory memory, VkDeviceSize size);

    VkDeviceMemory get() const { return memory_.get(); }

  private:
    Handle<VkDeviceMemory, vkFreeMemory> memory_;
    std::shared_ptr<const void> counted_;  ///< subtracts the bytes from the counter when destroyed
};

/// Allocates memory of a type that fits. Throws DeviceError.
MemoryHandle allocateMemory(const Device& device, const VkMemoryRequirements& needed,
                            MemoryUse use);

/// Whether the processor can map all of the device's memory, so that no copies are needed, as on
/// software devices and on GPUs that share the processor's memory.
bool hasSharedMemory(const Device& device);

/// A buffer with its own memory, permanently mapped except with MemoryUse::device.
class Buffer {
  public:
    /// `size` > 0 bytes. Throws DeviceError.
    Buffer(const Device& device, VkDeviceSize size, VkBufferUsageFlags usage, MemoryUse use);

    VkBuffer handle() const { return buffer_.get(); }
    VkDeviceSize size() const { return size_; }
    /// The mapped bytes; empty for MemoryUse::device.
    std::span<std::byte> bytes() const { return mapped_; }

  private:
    // The buffer is destroyed before its memory.
    MemoryHandle memory_;
    BufferHandle buffer_;
    VkDeviceSize size_ = 0;
    std::span<std::byte> mapped_;
};

/// Makes a mapped buffer with a copy of `data`. Throws DeviceError.
Buffer makeBuffer(const Device& device, std::span<const std::byte> data, VkBufferUsageFlags usage,
                  MemoryUse use = MemoryUse::upload);

/// Resources that a submitted frame reads, released only after the frame's fence is signalled.
using FrameResources = std::vector<std::shared_ptr<const void>>;

}  // namespace threefold::render
