#pragma once

#include <optional>
#include <vector>

#include <vulkan/vulkan.h>

#include "render/handle.h"
#include "render/render_pass.h"

namespace threefold::render {

/// The window's 8-bit format without sRGB encoding, BGRA preferred. Throws DeviceError if there is
/// none.
VkSurfaceFormatKHR chooseSurfaceFormat(const Device& device, VkSurfaceKHR surface);

/// The size that a swapchain needs now: the window system's if it dictates one, else `wanted`
/// within the device's limits. 0 by 0 while the window has no area.
VkExtent2D surfaceExtent(const Device& device, VkSurfaceKHR surface, VkExtent2D wanted);

/// The images of a window at one size, with framebuffers and semaphores.
class Swapchain {
  public:
    struct Target {
        VkFramebuffer framebuffer;
        VkSemaphore drawn;  ///< signalled by drawing, awaited by presenting
    };

    /// Null if the window has no area. Retires `old` without destroying it.
    static std::optional<Swapchain> make(const Device& device, VkSurfaceKHR surface,
                                         VkSurfaceFormatKHR format, const PassForm& form,
                                         VkRenderPass pass, VkExtent2D wanted, VkSwapchainKHR old);

    VkSwapchainKHR handle() const { return chain_.get(); }
    VkExtent2D extent() const { return images_.extent(); }
    Target target(std::uint32_t index) const {
        return {framebuffers_[index].get(), drawn_[index].get()};
    }

  private:
    Swapchain(const Device& device, SwapchainHandle chain, VkFormat format, const PassForm& form,
              VkRenderPass pass, VkExtent2D extent);

    SwapchainHandle chain_;
    PassImages images_;
    std::vector<ImageViewHandle> views_;
    std::vector<FramebufferHandle> framebuffers_;
    std::vector<SemaphoreHandle> drawn_;
};

}  // namespace threefold::render
