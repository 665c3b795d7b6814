#include "render/memory.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

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
// In the order of MemoryUse: device, shared, upload, readback.
constexpr MemoryPreference kPreferences[] = {
    {0, kLocal},
    {kShared, kShared},
    {kVisible, kVisible},
    {kVisible, kVisible | VK_MEMORY_PROPERTY_HOST_CACHED_BIT}};

std::optional<std::uint32_t> findType(const VkPhysicalDeviceMemoryProperties& memory,
                                      std::uint32_t allowed, VkMemoryPropertyFlags flags) {
    for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
        const bool fits = (memory.memoryTypes[i].propertyFlags & flags) == flags;
        if (fits && (allowed & (1U << i)) != 0) return i;
    }
    return std::nullopt;
}

MemoryHandle allocate(const Device& device, const VkMemoryRequirements& needed, MemoryUse use) {
    VkPhysicalDeviceMemoryProperties memory{};
    vkGetPhysicalDeviceMemoryProperties(device.physical(), &memory);
    const MemoryPreference& preference = kPreferences[static_cast<std::size_t>(use)];
    std::optional<std::uint32_t> type =
        findType(memory, needed.memoryTypeBits, preference.preferred);
    if (!type) type = findType(memory, needed.memoryTypeBits, preference.required);
    if (!type) VK_CHECK(VK_ERROR_OUT_OF_DEVICE_MEMORY);

    const VkMemoryAllocateInfo info{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                    .allocationSize = needed.size,
                                    .memoryTypeIndex = *type};
    return {device, VK_CREATE(vkAllocateMemory, device.handle(), info), info.allocationSize};
}

// Whether the processor can map all of the device's memory, so that no copies are needed. True for
// software devices and for GPUs that share the processor's memory.
bool hasSharedMemory(const Device& device) {
    VkPhysicalDeviceMemoryProperties memory{};
    vkGetPhysicalDeviceMemoryProperties(device.physical(), &memory);
    VkDeviceSize largest = 0;  // discrete GPUs map a window of 256 MB, if any
    for (const VkMemoryHeap& heap : std::span(memory.memoryHeaps, memory.memoryHeapCount))
        if ((heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0)
            largest = std::max(largest, heap.size);
    const std::span types(memory.memoryTypes, memory.memoryTypeCount);
    return std::ranges::any_of(types, [&](const VkMemoryType& type) {
        return (type.propertyFlags & kShared) == kShared &&
               memory.memoryHeaps[type.heapIndex].size == largest;
    });
}

/// Adds `size` to the counter until the result is destroyed.
template <class Counter>
std::shared_ptr<const void> countBytes(Counter counter, VkDeviceSize size) {
    // Before the guard is made: a guard that cannot be made subtracts at once.
    *counter += size;
    return {nullptr, [counter = std::move(counter), size](auto) { *counter -= size; }};
}

}  // namespace

MemoryHandle::MemoryHandle(const Device& device, VkDeviceMemory memory, VkDeviceSize size)
    : memory_(device.handle(), memory), counted_(countBytes(device.allocated(), size)) {}

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

ImageViewHandle makeView(const Device& device, VkImage image, VkFormat format) {
    const VkImageAspectFlags aspect =
        format == kDepthFormat ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
    const VkImageViewCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = format,
        .subresourceRange = {.aspectMask = aspect, .levelCount = 1, .layerCount = 1}};
    return {device.handle(), VK_CREATE(vkCreateImageView, device.handle(), info)};
}

Attachment::Attachment(const Device& device, const Format& format) {
    const VkImageCreateInfo info{.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                 .imageType = VK_IMAGE_TYPE_2D,
                                 .format = format.format,
                                 .extent = {format.extent.width, format.extent.height, 1},
                                 .mipLevels = 1,
                                 .arrayLayers = 1,
                                 .samples = format.samples,
                                 .tiling = VK_IMAGE_TILING_OPTIMAL,
                                 .usage = format.usage,
                                 .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
                                 .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED};
    VkImage created = VK_CREATE(vkCreateImage, device.handle(), info);
    image_ = {device.handle(), created};

    VkMemoryRequirements needed{};
    vkGetImageMemoryRequirements(device.handle(), created, &needed);
    memory_ = allocate(device, needed, MemoryUse::device);
    VK_CHECK(vkBindImageMemory(device.handle(), created, memory_.get(), 0));
    view_ = makeView(device, created, format.format);
}

StagedBuffer stage(const Device& device, std::span<const std::byte> data, std::string_view what) {
    const std::uint32_t maxSize = device.limits().maxStorageBufferRange;
    if (data.size() > maxSize)
        throw InputError({"mesh", std::string(what),
                          fmt::format("{} bytes, but {} accepts at most {} in one buffer",
                                      data.size(), device.description().name, maxSize),
                          "Show a mesh with fewer vertices and faces."});
    constexpr VkBufferUsageFlags kUsage =
        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT;
    if (hasSharedMemory(device))
        return {makeBuffer(device, data, kUsage, MemoryUse::shared), nullptr};
    return {
        Buffer(device, data.size(), kUsage | VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryUse::device),
        std::make_shared<const Buffer>(makeBuffer(device, data, VK_BUFFER_USAGE_TRANSFER_SRC_BIT))};
}

void record(StagedBuffer& staged, VkCommandBuffer commands, KeptAlive& kept) {
    if (!staged.source) return;
    const VkBufferCopy region{.size = staged.buffer.size()};
    vkCmdCopyBuffer(commands, staged.source->handle(), staged.buffer.handle(), 1, &region);
    kept.push_back(std::move(staged.source));
    const VkMemoryBarrier copied{
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_INDEX_READ_BIT};
    // Fragment shaders read values and texels.
    constexpr VkPipelineStageFlags kReaders = VK_PIPELINE_STAGE_VERTEX_INPUT_BIT |
                                              VK_PIPELINE_STAGE_VERTEX_SHADER_BIT |
                                              VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, kReaders, 0, 1, &copied, 0,
                         nullptr, 0, nullptr);
}

}  // namespace threefold::render
