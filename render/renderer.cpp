#include "render/renderer.h"

#include <array>
#include <cstdint>
#include <vector>

#include "render/view_state.h"

namespace threefold::render {
namespace {

void beginPass(VkCommandBuffer commands, VkRenderPass pass, VkFramebuffer framebuffer,
               VkExtent2D extent, glm::vec4 clear) {
    VkClearValue depth{};
    depth.depthStencil = {1.0F, 0};
    const std::array clears{VkClearValue{.color = clearColour(clear)}, depth};
    const VkRenderPassBeginInfo info{.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                     .renderPass = pass,
                                     .framebuffer = framebuffer,
                                     .renderArea = {.extent = extent},
                                     .clearValueCount = static_cast<std::uint32_t>(clears.size()),
                                     .pClearValues = clears.data()};
    vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
}

}  // namespace

Renderer::Renderer(const Device& device, VkFormat format, VkImageLayout finalLayout)
    : form_{format, finalLayout, chooseSamples(device)},
      pass_(makeRenderPass(device, form_)),
      layers_(device, pass_.get(), form_.samples),
      decorations_(device, pass_.get(), form_.samples) {}

void Renderer::record(VkCommandBuffer commands, const Scene& scene, const PreparedScene& prepared,
                      glm::vec4 clear, VkFramebuffer framebuffer, VkExtent2D extent,
                      const OverlayPainter* overlay) const {
    const std::vector<PaneView> views =
        paneViews(scene, static_cast<int>(extent.width), static_cast<int>(extent.height));
    beginPass(commands, pass_.get(), framebuffer, extent, clear);
    layers_.record(commands, scene, prepared, views);
    decorations_.record(commands, scene, views, extent);
    if (overlay != nullptr) overlay->record(commands, extent);
    vkCmdEndRenderPass(commands);
}

}  // namespace threefold::render
