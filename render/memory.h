#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "render/device.h"
#include "render/handle.h"

namespace threefold::render {

enum class MemoryUse {
    device,  ///< read and written by the device only
    shared,  ///< device memory written by the processor if all of it is mappable; else as `upload`
    upload,  ///< written by the processor, read once by the device
    readback,  ///< written by the device, read by the processor (cached where possible)
};

/// Owns device memory and counts it in Device::allocated(). Movable, as a Handle.
class MemoryHandle {
  public:
    MemoryHandle() = default;
    MemoryHandle(const Device& device, VkDeviceMemory memory, VkDeviceSize size);

    VkDeviceMemory get() const { return memory_.get(); }

  private:
    Handle<VkDeviceMemory, vkFreeMemory> memory_;
    std::shared_ptr<const void> counted_;  ///< subtracts the bytes from the counter when destroyed
};

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

/// Makes a mapped buffer with a copy of `data`.
Buffer makeBuffer(const Device& device, std::span<const std::byte> data, VkBufferUsageFlags usage,
                  MemoryUse use = MemoryUse::upload);

inline constexpr VkFormat kDepthFormat = VK_FORMAT_D32_SFLOAT;
inline constexpr VkFormat kOffscreenFormat = VK_FORMAT_R8G8B8A8_UNORM;

/// An image that a render pass draws into, with its memory and a view of the whole image.
class Attachment {
  public:
    struct Format {
        VkFormat format;
        VkExtent2D extent;
        VkSampleCountFlagBits samples;
        VkImageUsageFlags usage;
    };

    /// Throws DeviceError.
    Attachment(const Device& device, const Format& format);

    VkImage image() const { return image_.get(); }
    VkImageView view() const { return view_.get(); }

  private:
    // Destroyed in reverse order: view, image, memory.
    MemoryHandle memory_;
    ImageHandle image_;
    ImageViewHandle view_;
};

inline bool sameSize(VkExtent2D a, VkExtent2D b) {
    return a.width == b.width && a.height == b.height;
}

/// Makes a view of the depth or colours of a whole single-layer image.
ImageViewHandle makeView(const Device& device, VkImage image, VkFormat format);

/// Objects that a frame in flight reads; cleared when the frame is done.
using KeptAlive = std::vector<std::shared_ptr<const void>>;

/// A storage and index buffer, and the source of a pending copy; `source` is null if the processor
/// wrote the buffer directly.
struct StagedBuffer {
    Buffer buffer;
    std::shared_ptr<const Buffer> source;
};

/// Makes a buffer with the content `data`, which must not be empty. Throws DeviceError, InputError
/// (`data` exceeds the device's limit for a buffer; `what` names the data). Thread-safe.
StagedBuffer stage(const Device& device, std::span<const std::byte> data, std::string_view what);

/// Records the pending copy, outside of a render pass, and makes later draws wait for the copy.
/// Moves the source to `kept`.
void record(StagedBuffer& staged, VkCommandBuffer commands, KeptAlive& kept);

}  // namespace threefold::render
