#pragma once

#include <vulkan/vulkan.h>

#include <glm/vec4.hpp>

#include "render/pane_layout.h"

namespace threefold::render {

bool isEmpty(const PaneRect& rect);

/// A rectangle within the target.
VkRect2D rectOf(const PaneRect& rect);

void setViewport(VkCommandBuffer commands, const PaneRect& rect);
void setScissor(VkCommandBuffer commands, const PaneRect& rect);

/// Exactly round(255 × channel) per byte; drivers may round halves either way.
VkClearColorValue clearColour(glm::vec4 encoded);

/// Fills a rectangle inside of the render pass with the exact bytes of clearColour().
void fill(VkCommandBuffer commands, const PaneRect& rect, glm::vec4 encoded);

}  // namespace threefold::render
