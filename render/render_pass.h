#pragma once

#include <vector>

#include "render/attachment.h"

namespace threefold::render {

/// Format of a render pass's result: colours, drawn with `samples` per pixel, are resolved into an
/// image of `format` in `finalLayout`.
struct PassFormat {
    VkFormat format;
    VkImageLayout finalLayout;
    VkSampleCountFlagBits samples;
};

/// Samples per pixel: four, or two or one if the device does not support more.
VkSampleCountFlagBits chooseSamples(const Device& device);

/// Makes the pass of a whole picture, which clears, draws and resolves in one subpass. Throws
/// DeviceError.
RenderPassHandle makeRenderPass(const Device& device, const PassFormat& passFormat);

/// Makes a pass with one subpass. Throws DeviceError.
RenderPassHandle makeRenderPass(const Device& device,
                                std::span<const VkAttachmentDescription> attachments,
                                const VkSubpassDescription& subpass,
                                std::span<const VkSubpassDependency> dependencies);

/// Describes an image that a pass clears, draws into and leaves in `finalLayout`.
VkAttachmentDescription clearedAttachment(VkFormat format, VkSampleCountFlagBits samples,
                                          VkAttachmentStoreOp store, VkImageLayout finalLayout);

/// Makes a framebuffer of `views`, images of the size `extent`. Throws DeviceError.
FramebufferHandle makeFramebuffer(const Device& device, VkRenderPass pass,
                                  std::span<const VkImageView> views, VkExtent2D extent);

/// Begins a pass with its contents inline, over the whole framebuffer; `clears` has a value for
/// each attachment.
void beginPass(VkCommandBuffer commands, VkRenderPass pass, VkFramebuffer framebuffer,
               VkExtent2D extent, std::span<const VkClearValue> clears);

/// Images that a pass needs besides its result; frames in flight share them.
class TransientAttachments {
  public:
    /// Throws DeviceError.
    TransientAttachments(const Device& device, const PassFormat& passFormat, VkExtent2D extent);

    VkExtent2D extent() const { return extent_; }
    /// Makes a framebuffer that resolves into `target`, a view of an image of this size. Throws
    /// DeviceError.
    FramebufferHandle makeFramebuffer(VkRenderPass pass, VkImageView target) const;

  private:
    const Device& device_;
    VkExtent2D extent_;
    std::vector<Attachment> attachments_;  // a colour image if multisampled, then depth
};

}  // namespace threefold::render
