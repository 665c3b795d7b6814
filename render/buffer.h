#pragma once

#include <cstddef>
#include <span>

#include <vulkan/vulkan.h>

#include "render/device.h"
#include "render/handle.h"
#include "render/memory.h"

namespace threefold::render {

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
