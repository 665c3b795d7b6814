#include "render/upload.h"

#include <utility>

#include <fmt/format.h>

#include "engine/error.h"

namespace threefold::render {
namespace {

void checkSize(const Device& device, std::size_t bytes, std::string_view what) {
    VkPhysicalDeviceProperties properties{};
    vkGetPhysicalDeviceProperties(device.physical(), &properties);
    if (bytes <= properties.limits.maxStorageBufferRange) return;
    throw InputError(
        {"mesh", std::string(what),
         fmt::format("{} bytes, but {} accepts at most {} in one buffer", bytes,
                     device.description().name, properties.limits.maxStorageBufferRange),
         "Show a mesh with fewer vertices and faces."});
}

void waitForCopy(VkCommandBuffer commands) {
    const VkMemoryBarrier barrier{
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_INDEX_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_VERTEX_SHADER_BIT,
                         0, 1, &barrier, 0, nullptr, 0, nullptr);
}

}  // namespace

Buffer upload(const Device& device, std::span<const std::byte> data, std::string_view what,
              VkCommandBuffer commands, KeptAlive& kept) {
    checkSize(device, data.size(), what);
    auto staging = std::make_shared<const Buffer>(stagingBuffer(device, data));
    Buffer buffer(device, data.size(),
                  VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
                      VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                  MemoryUse::device);
    const VkBufferCopy region{.size = data.size()};
    vkCmdCopyBuffer(commands, staging->handle(), buffer.handle(), 1, &region);
    kept.push_back(std::move(staging));
    waitForCopy(commands);
    return buffer;
}

}  // namespace threefold::render
