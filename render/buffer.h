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
    // The buffer goes before the memory it is bound to.
    MemoryHandle memory_;
    BufferHandle buffer_;
    VkDeviceSize size_ = 0;
    std::span<std::byte> mapped_;
};

/// An upload buffer, usable as a transfer source, that holds a copy of `data`.
Buffer stagingBuffer(const Device& device, std::span<const std::byte> data);

}  // namespace threefold::render
