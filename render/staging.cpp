#include "render/staging.h"

#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"

namespace threefold::render {

StagedBuffer stageBuffer(const Device& device, std::span<const std::byte> data,
                         std::string_view what) {
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

void recordCopy(StagedBuffer& staged, VkCommandBuffer commands, FrameResources& resources) {
    if (!staged.source) return;
    const VkBufferCopy region{.size = staged.buffer.size()};
    vkCmdCopyBuffer(commands, staged.source->handle(), staged.buffer.handle(), 1, &region);
    resources.push_back(std::move(staged.source));
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
