#pragma once

#include <cstddef>
#include <span>

#include <vulkan/vulkan.h>

#include "render/device.h"
#include "render/handle.h"

namespace threefold::render {

/// The use of an allocation.
enum class MemoryUse {
    device,    ///< read and written by the device only
    shared,    ///< device memory written by the processor; needs hasSharedMemory()
    upload,    ///< written by the processor, read once by the device
    readback,  ///< written by the device, read by the processor (cached where possible)
};

/// Owns device memory and counts it in Device::allocated(). Movable, as a Handle.
class MemoryHandle {
  public:
    MemoryHandle() = default;
    MemoryHandle(const Device& device, VkDeviceMemory memory, VkDeviceSize size);
    ~MemoryHandle();
    MemoryHandle(MemoryHandle&& other) noexcept = default;
    MemoryHandle& operator=(MemoryHandle&& other) noexcept;

    VkDeviceMemory get() const { return memory_.get(); }

  private:
    Handle<VkDeviceMemory, vkFreeMemory> memory_;
    MemoryCounter counter_;  // null once moved from
    VkDeviceSize size_ = 0;
};

/// Whether the processor can write all of the device's memory, so that no copies are needed. True
/// for software devices and those that share the processor's memory.
bool hasSharedMemory(const Device& device);

/// Allocates memory that satisfies the requirements. Throws DeviceError.
MemoryHandle allocate(const Device& device, const VkMemoryRequirements& needed, MemoryUse use);

/// A buffer with its own memory; upload and readback buffers stay mapped.
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

/// A mapped buffer that holds a copy of `data`.
Buffer makeBuffer(const Device& device, std::span<const std::byte> data, VkBufferUsageFlags usage,
                  MemoryUse use = MemoryUse::upload);

}  // namespace threefold::render
