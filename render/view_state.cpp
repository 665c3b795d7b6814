#include "render/view_state.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace threefold::render {
namespace {

float exactByte(float value) {
    return std::round(255.0F * std::clamp(value, 0.0F, 1.0F)) / 255.0F;
}

}  // namespace

bool isEmpty(const PaneRect& rect) {
    return rect.width <= 0 || rect.height <= 0;
}

VkRect2D rectOf(const PaneRect& rect) {
    return {{rect.x, rect.y},
            {static_cast<std::uint32_t>(rect.width), static_cast<std::uint32_t>(rect.height)}};
}

void setViewport(VkCommandBuffer commands, const PaneRect& rect) {
    const VkViewport viewport{.x = static_cast<float>(rect.x),
                              .y = static_cast<float>(rect.y),
                              .width = static_cast<float>(rect.width),
                              .height = static_cast<float>(rect.height),
                              .maxDepth = 1.0F};
    vkCmdSetViewport(commands, 0, 1, &viewport);
}

void setScissor(VkCommandBuffer commands, const PaneRect& rect) {
    const VkRect2D scissor = rectOf(rect);
    vkCmdSetScissor(commands, 0, 1, &scissor);
}

VkClearColorValue clearColour(glm::vec4 encoded) {
    return {
        {exactByte(encoded.x), exactByte(encoded.y), exactByte(encoded.z), exactByte(encoded.w)}};
}

void fill(VkCommandBuffer commands, const PaneRect& rect, glm::vec4 encoded) {
    if (isEmpty(rect)) return;
    const VkClearAttachment colour{.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
                                   .clearValue = {.color = clearColour(encoded)}};
    const VkClearRect area{.rect = rectOf(rect), .layerCount = 1};
    vkCmdClearAttachments(commands, 1, &colour, 1, &area);
}

}  // namespace threefold::render
