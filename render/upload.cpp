#include "render/upload.h"

#include <utility>

#include <fmt/format.h>

#include "engine/error.h"

namespace threefold::render {
namespace {

void checkSize(const Device& device, std::size_t bytes, std::string_view what) {
    const std::uint32_t most = device.limits().maxStorageBufferRange;
    if (bytes <= most) return;
    throw InputError({"mesh", std::string(what),
                      fmt::format("{} bytes, but {} accepts at most {} in one buffer", bytes,
                                  device.description().name, most),
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

StagedBuffer stage(const Device& device, std::span<const std::byte> data, std::string_view what) {
    checkSize(device, data.size(), what);
    constexpr VkBufferUsageFlags kUsage =
        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT;
    if (hasSharedMemory(device)) {
        return {makeBuffer(device, data, kUsage, MemoryUse::shared), nullptr};
    }
    return {
        Buffer(device, data.size(), kUsage | VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryUse::device),
        std::make_shared<const Buffer>(makeBuffer(device, data, VK_BUFFER_USAGE_TRANSFER_SRC_BIT))};
}

void record(StagedBuffer& staged, VkCommandBuffer commands, KeptAlive& kept) {
    if (!staged.source) return;
    const VkBufferCopy region{.size = staged.buffer.size()};
    vkCmdCopyBuffer(commands, staged.source->handle(), staged.buffer.handle(), 1, &region);
    kept.push_back(std::move(staged.source));
    waitForCopy(commands);
}

}  // namespace threefold::render
