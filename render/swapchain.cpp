#include "render/swapchain.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/error.h"
#include "render/attachment.h"
#include "render/commands.h"
#include "render/vulkan_check.h"

namespace threefold::render {
namespace {

VkExtent2D chooseExtent(const VkSurfaceCapabilitiesKHR& surface, VkExtent2D wanted) {
    // Most window systems dictate the size; others return this value.
    constexpr std::uint32_t kFree = 0xFFFFFFFF;
    if (surface.currentExtent.width != kFree) return surface.currentExtent;
    return {
        std::clamp(wanted.width, surface.minImageExtent.width, surface.maxImageExtent.width),
        std::clamp(wanted.height, surface.minImageExtent.height, surface.maxImageExtent.height)};
}

VkPresentModeKHR choosePresentMode(const Device& device, VkSurfaceKHR surface) {
    const auto modes = VK_LIST(VkPresentModeKHR, vkGetPhysicalDeviceSurfacePresentModesKHR,
                               device.physical(), surface);
    // Mailbox neither tears nor blocks the event loop.
    const bool mailbox = std::ranges::find(modes, VK_PRESENT_MODE_MAILBOX_KHR) != modes.end();
    return mailbox ? VK_PRESENT_MODE_MAILBOX_KHR : VK_PRESENT_MODE_FIFO_KHR;
}

VkCompositeAlphaFlagBitsKHR chooseAlpha(const VkSurfaceCapabilitiesKHR& surface) {
    constexpr std::array kPreferred = {VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
                                       VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR,
                                       VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR};
    for (const VkCompositeAlphaFlagBitsKHR alpha : kPreferred) {
        if ((surface.supportedCompositeAlpha & alpha) != 0) return alpha;
    }
    return VK_COMPOSITE_ALPHA_POST_MULTIPLIED_BIT_KHR;
}

VkSurfaceCapabilitiesKHR capabilitiesOf(const Device& device, VkSurfaceKHR surface) {
    VkSurfaceCapabilitiesKHR capabilities{};
    VK_CHECK(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(device.physical(), surface, &capabilities));
    return capabilities;
}

}  // namespace

VkSurfaceFormatKHR chooseSurfaceFormat(const Device& device, VkSurfaceKHR surface) {
    const auto formats = VK_LIST(VkSurfaceFormatKHR, vkGetPhysicalDeviceSurfaceFormatsKHR,
                                 device.physical(), surface);

    constexpr std::array kAccepted = {VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM,
                                      VK_FORMAT_A8B8G8R8_UNORM_PACK32};
    for (const VkFormat wanted : kAccepted) {
        for (const VkSurfaceFormatKHR& format : formats) {
            const bool plain = format.colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR;
            if (plain && format.format == wanted) return format;
        }
    }
    throw DeviceError({"Vulkan", device.description().name,
                       "the window offers no 8-bit RGBA format that can be drawn into",
                       "Set the screen to a colour depth of 24 bits."});
}

VkExtent2D surfaceExtent(const Device& device, VkSurfaceKHR surface, VkExtent2D wanted) {
    return chooseExtent(capabilitiesOf(device, surface), wanted);
}

std::optional<Swapchain> Swapchain::make(const Device& device, VkSurfaceKHR surface,
                                         VkSurfaceFormatKHR format, const PassForm& form,
                                         VkRenderPass pass, VkExtent2D wanted, VkSwapchainKHR old) {
    const VkSurfaceCapabilitiesKHR capabilities = capabilitiesOf(device, surface);
    const VkExtent2D extent = chooseExtent(capabilities, wanted);
    if (extent.width == 0 || extent.height == 0) return std::nullopt;

    std::uint32_t images = capabilities.minImageCount + 1;
    if (capabilities.maxImageCount > 0) images = std::min(images, capabilities.maxImageCount);
    const VkSwapchainCreateInfoKHR info{.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
                                        .surface = surface,
                                        .minImageCount = images,
                                        .imageFormat = format.format,
                                        .imageColorSpace = format.colorSpace,
                                        .imageExtent = extent,
                                        .imageArrayLayers = 1,
                                        .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                                        .imageSharingMode = VK_SHARING_MODE_EXCLUSIVE,
                                        .preTransform = capabilities.currentTransform,
                                        .compositeAlpha = chooseAlpha(capabilities),
                                        .presentMode = choosePresentMode(device, surface),
                                        .clipped = VK_TRUE,
                                        .oldSwapchain = old};
    VkSwapchainKHR chain = VK_CREATE(vkCreateSwapchainKHR, device.handle(), info);
    return Swapchain(device, {device.handle(), chain}, format.format, form, pass, extent);
}

Swapchain::Swapchain(const Device& device, SwapchainHandle chain, VkFormat format,
                     const PassForm& form, VkRenderPass pass, VkExtent2D extent)
    : chain_(std::move(chain)), images_(device, form, extent) {
    for (VkImage image : VK_LIST(VkImage, vkGetSwapchainImagesKHR, device.handle(), chain_.get())) {
        views_.push_back(makeView(device, image, format, VK_IMAGE_ASPECT_COLOR_BIT));
        framebuffers_.push_back(images_.makeFramebuffer(pass, views_.back().get()));
        drawn_.push_back(makeSemaphore(device));
    }
}

}  // namespace threefold::render
