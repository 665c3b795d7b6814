#pragma once

#include <vulkan/vulkan.h>

#include <glm/vec4.hpp>

#include "render/pane_layout.h"

namespace threefold::render {

bool isEmpty(const PaneRect& rect);

/// A rectangle of the target; it must lie within it.
VkRect2D rectOf(const PaneRect& rect);

void setViewport(VkCommandBuffer commands, const PaneRect& rect);
void setScissor(VkCommandBuffer commands, const PaneRect& rect);

/// Drivers may round halves either way; this is round(255 × channel) to the byte.
VkClearColorValue clearColour(glm::vec4 encoded);

/// Fills a rectangle inside of the render pass, exact to the pixel and to the byte.
void fill(VkCommandBuffer commands, const PaneRect& rect, glm::vec4 encoded);

}  // namespace threefold::render
