#include "render/recording.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace threefold::render {
namespace {

float roundedToByte(float value) {
    return std::round(255.0F * std::clamp(value, 0.0F, 1.0F)) / 255.0F;
}

// Converts a rectangle within the target.
VkRect2D rectOf(const PixelRect& rect) {
    return {{rect.x, rect.y},
            {static_cast<std::uint32_t>(rect.width), static_cast<std::uint32_t>(rect.height)}};
}

}  // namespace

CommandBuffer::CommandBuffer(const Device& device) : device_(device.handle()) {
    const VkCommandPoolCreateInfo poolInfo{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                           .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
                                           .queueFamilyIndex = device.queueFamilyIndex()};
    pool_ = {device_, VK_CREATE(vkCreateCommandPool, device_, poolInfo)};
    const VkCommandBufferAllocateInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                           .commandPool = pool_.get(),
                                           .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                           .commandBufferCount = 1};
    VK_CHECK(vkAllocateCommandBuffers(device_, &info, &buffer_));
}

void CommandBuffer::begin() {
    VK_CHECK(vkResetCommandPool(device_, pool_.get(), 0));
    const VkCommandBufferBeginInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    VK_CHECK(vkBeginCommandBuffer(buffer_, &info));
}

FenceHandle makeFence(const Device& device) {
    const VkFenceCreateInfo info{.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    return {device.handle(), VK_CREATE(vkCreateFence, device.handle(), info)};
}

FenceHandle makeSignalledFence(const Device& device) {
    const VkFenceCreateInfo info{.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
                                 .flags = VK_FENCE_CREATE_SIGNALED_BIT};
    return {device.handle(), VK_CREATE(vkCreateFence, device.handle(), info)};
}

SemaphoreHandle makeSemaphore(const Device& device) {
    const VkSemaphoreCreateInfo info{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    return {device.handle(), VK_CREATE(vkCreateSemaphore, device.handle(), info)};
}

void setViewport(VkCommandBuffer commands, const PixelRect& rect) {
    const VkViewport viewport{.x = static_cast<float>(rect.x),
                              .y = static_cast<float>(rect.y),
                              .width = static_cast<float>(rect.width),
                              .height = static_cast<float>(rect.height),
                              .maxDepth = 1.0F};
    vkCmdSetViewport(commands, 0, 1, &viewport);
}

void setScissor(VkCommandBuffer commands, const PixelRect& rect) {
    const VkRect2D scissor = rectOf(rect);
    vkCmdSetScissor(commands, 0, 1, &scissor);
}

VkClearColorValue clearColour(glm::vec4 encoded) {
    return {{roundedToByte(encoded.x), roundedToByte(encoded.y), roundedToByte(encoded.z),
             roundedToByte(encoded.w)}};
}

void fillRectangle(VkCommandBuffer commands, const PixelRect& rect, glm::vec4 encoded) {
    if (isEmpty(rect)) return;
    const VkClearAttachment colour{.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
                                   .clearValue = {.color = clearColour(encoded)}};
    const VkClearRect area{.rect = rectOf(rect), .layerCount = 1};
    vkCmdClearAttachments(commands, 1, &colour, 1, &area);
}

}  // namespace threefold::render
