#include "render/buffer.h"

#include <algorithm>

#include "render/vulkan_check.h"

namespace threefold::render {

Buffer::Buffer(const Device& device, VkDeviceSize size, VkBufferUsageFlags usage, MemoryUse use)
    : size_(size) {
    const VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                  .size = size,
                                  .usage = usage,
                                  .sharingMode = VK_SHARING_MODE_EXCLUSIVE};
    VkBuffer created = VK_CREATE(vkCreateBuffer, device.handle(), info);
    buffer_ = {device.handle(), created};

    VkMemoryRequirements needed{};
    vkGetBufferMemoryRequirements(device.handle(), created, &needed);
    memory_ = allocate(device, needed, use);
    VK_CHECK(vkBindBufferMemory(device.handle(), created, memory_.get(), 0));
    if (use == MemoryUse::device) return;

    void* address = nullptr;
    VK_CHECK(vkMapMemory(device.handle(), memory_.get(), 0, VK_WHOLE_SIZE, 0, &address));
    mapped_ = {static_cast<std::byte*>(address), static_cast<std::size_t>(size)};
}

Buffer makeBuffer(const Device& device, std::span<const std::byte> data, VkBufferUsageFlags usage,
                  MemoryUse use) {
    Buffer buffer(device, data.size(), usage, use);
    std::ranges::copy(data, buffer.bytes().begin());
    return buffer;
}

}  // namespace threefold::render
