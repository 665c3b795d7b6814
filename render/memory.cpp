#include "render/memory.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "render/vulkan_check.h"

namespace threefold::render {
namespace {

struct MemoryPreference {
    VkMemoryPropertyFlags required;
    VkMemoryPropertyFlags preferred;
};

constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags kVisible =
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr VkMemoryPropertyFlags kShared = kLocal | kVisible;

MemoryPreference preferenceOf(MemoryUse use) {
    switch (use) {
        case MemoryUse::device:
            return {0, kLocal};
        case MemoryUse::shared:
            return {kShared, kShared};
        case MemoryUse::upload:
            return {kVisible, kVisible};
        case MemoryUse::readback:
            return {kVisible, kVisible | VK_MEMORY_PROPERTY_HOST_CACHED_BIT};
    }
    return {};
}

std::optional<std::uint32_t> findType(const VkPhysicalDeviceMemoryProperties& memory,
                                      std::uint32_t allowed, VkMemoryPropertyFlags flags) {
    for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
        const bool fits = (memory.memoryTypes[i].propertyFlags & flags) == flags;
        if (fits && (allowed & (1U << i)) != 0) return i;
    }
    return std::nullopt;
}

/// Adds `size` to the counter until the result is destroyed.
template <class Counter>
std::shared_ptr<const void> countBytes(Counter counter, VkDeviceSize size) {
    // Adds before the shared_ptr is made: if its construction fails, the deleter runs and
    // subtracts.
    *counter += size;
    return {nullptr, [counter = std::move(counter), size](auto) { *counter -= size; }};
}

}  // namespace

MemoryHandle allocateMemory(const Device& device, const VkMemoryRequirements& needed,
                            MemoryUse use) {
    VkPhysicalDeviceMemoryProperties memory{};
    vkGetPhysicalDeviceMemoryProperties(device.physicalDevice(), &memory);
    const MemoryPreference preference = preferenceOf(use);
    std::optional<std::uint32_t> type =
        findType(memory, needed.memoryTypeBits, preference.preferred);
    if (!type) type = findType(memory, needed.memoryTypeBits, preference.required);
    if (!type) VK_CHECK(VK_ERROR_OUT_OF_DEVICE_MEMORY);

    const VkMemoryAllocateInfo info{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                    .allocationSize = needed.size,
                                    .memoryTypeIndex = *type};
    return {device, VK_CREATE(vkAllocateMemory, device.handle(), info), info.allocationSize};
}

bool hasSharedMemory(const Device& device) {
    VkPhysicalDeviceMemoryProperties memory{};
    vkGetPhysicalDeviceMemoryProperties(device.physicalDevice(), &memory);
    // A discrete GPU may have a second, mappable heap of 256 MB: only the largest heap counts.
    VkDeviceSize largest = 0;
    for (const VkMemoryHeap& heap : std::span(memory.memoryHeaps, memory.memoryHeapCount))
        if ((heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0)
            largest = std::max(largest, heap.size);
    const std::span types(memory.memoryTypes, memory.memoryTypeCount);
    return std::ranges::any_of(types, [&](const VkMemoryType& type) {
        return (type.propertyFlags & kShared) == kShared &&
               memory.memoryHeaps[type.heapIndex].size == largest;
    });
}

MemoryHandle::MemoryHandle(const Device& device, VkDeviceMemory memory, VkDeviceSize size)
    : memory_(device.handle(), memory), counted_(countBytes(device.allocatedBytes(), size)) {}

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
    memory_ = allocateMemory(device, needed, use);
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
