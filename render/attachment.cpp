#include "render/attachment.h"

#include "render/vulkan_check.h"

namespace threefold::render {

ImageViewHandle makeImageView(const Device& device, VkImage image, VkFormat format) {
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

Attachment::Attachment(const Device& device, const Description& description) {
    const VkImageCreateInfo info{.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                 .imageType = VK_IMAGE_TYPE_2D,
                                 .format = description.format,
                                 .extent = {description.extent.width, description.extent.height, 1},
                                 .mipLevels = 1,
                                 .arrayLayers = 1,
                                 .samples = description.samples,
                                 .tiling = VK_IMAGE_TILING_OPTIMAL,
                                 .usage = description.usage,
                                 .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
                                 .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED};
    VkImage created = VK_CREATE(vkCreateImage, device.handle(), info);
    image_ = {device.handle(), created};

    VkMemoryRequirements needed{};
    vkGetImageMemoryRequirements(device.handle(), created, &needed);
    memory_ = allocateMemory(device, needed, MemoryUse::device);
    VK_CHECK(vkBindImageMemory(device.handle(), created, memory_.get(), 0));
    view_ = makeImageView(device, created, description.format);
}

}  // namespace threefold::render
