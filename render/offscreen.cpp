#include "render/offscreen.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include <fmt/format.h>

#include "engine/error.h"
#include "render/commands.h"
#include "render/device_choice.h"
#include "render/renderer.h"
#include "render/straight_alpha.h"
#include "render/vulkan_check.h"

namespace threefold::render {
namespace {

void checkSize(const Device& device, int width, int height) {
    VkPhysicalDeviceProperties properties{};
    vkGetPhysicalDeviceProperties(device.physical(), &properties);
    const VkPhysicalDeviceLimits& limits = properties.limits;
    const auto most = [&limits](std::uint32_t framebuffer, std::uint32_t viewport) {
        return std::min({limits.maxImageDimension2D, framebuffer, viewport});
    };
    const std::uint32_t widest = most(limits.maxFramebufferWidth, limits.maxViewportDimensions[0]);
    const std::uint32_t highest =
        most(limits.maxFramebufferHeight, limits.maxViewportDimensions[1]);
    const bool positive = width > 0 && height > 0;
    if (positive && static_cast<std::uint32_t>(width) <= widest &&
        static_cast<std::uint32_t>(height) <= highest) {
        return;
    }
    throw InputError(
        {"picture", "",
         fmt::format("size {}×{}, expected 1×1 to {}×{}", width, height, widest, highest),
         "Choose another size."});
}

void copyPicture(VkCommandBuffer commands, VkImage image, VkExtent2D extent, VkBuffer buffer) {
    const VkBufferImageCopy region{
        .imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1},
        .imageExtent = {extent.width, extent.height, 1}};
    vkCmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer, 1,
                           &region);
    const VkMemoryBarrier toHost{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                 .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                 .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                         &toHost, 0, nullptr, 0, nullptr);
}

void runAndWait(const Device& device, VkCommandBuffer commands) {
    const FenceHandle done = makeFence(device, false);
    const VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                              .commandBufferCount = 1,
                              .pCommandBuffers = &commands};
    VK_CHECK(vkQueueSubmit(device.queue(), 1, &submit, done.get()));
    waitFor(device, done.get());
}

}  // namespace

struct OffscreenTarget::State {
    const Device& device;
    Renderer renderer;
    Commands commands;
};

OffscreenTarget::OffscreenTarget(const Device& device)
    : state_(new State{device,
                       Renderer(device, kOffscreenFormat, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL),
                       Commands(device)}) {}

OffscreenTarget::~OffscreenTarget() = default;

std::size_t OffscreenTarget::meshCount() const {
    return state_->renderer.meshCount();
}

Image OffscreenTarget::draw(const Scene& scene, int width, int height) {
    auto& [device, renderer, commands] = *state_;
    checkSize(device, width, height);
    const VkExtent2D extent{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)};
    const Attachment picture(device,
                             {kOffscreenFormat, extent, VK_SAMPLE_COUNT_1_BIT,
                              VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                              VK_IMAGE_ASPECT_COLOR_BIT});
    const PassImages images(device, renderer.form(), extent);
    const FramebufferHandle framebuffer = images.makeFramebuffer(renderer.pass(), picture.view());
    const Buffer pixels(device, VkDeviceSize{4} * extent.width * extent.height,
                        VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryUse::readback);
    KeptAlive kept;

    commands.begin();
    const auto meshes = renderer.prepare(commands.handle(), scene, kept);
    renderer.record(commands.handle(), scene, meshes, premultiplied(scene.background),
                    framebuffer.get(), extent);
    copyPicture(commands.handle(), picture.image(), extent, pixels.handle());
    commands.end();
    runAndWait(device, commands.handle());
    renderer.submitted();

    Image image{width, height, std::vector<std::uint8_t>(pixels.bytes().size())};
    std::memcpy(image.rgba.data(), pixels.bytes().data(), image.rgba.size());
    unpremultiply(image.rgba, scene.background);
    return image;
}

Image renderOffscreen(const Device& device, const Scene& scene, int width, int height) {
    return OffscreenTarget(device).draw(scene, width, height);
}

}  // namespace threefold::render
