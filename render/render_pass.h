#pragma once

#include <vector>

#include "render/memory.h"

namespace threefold::render {

/// What a render pass draws: multisampled colour and depth, resolved into an image of `format` that
/// is left in `finalLayout`.
struct PassForm {
    VkFormat format;
    VkImageLayout finalLayout;
    VkSampleCountFlagBits samples;
};

/// Four samples a pixel, or as many as the device supports.
VkSampleCountFlagBits chooseSamples(const Device& device);

/// The pass of a whole picture: clears, draws and resolves in one subpass.
RenderPassHandle makeRenderPass(const Device& device, const PassForm& form);

/// Any pass of one subpass. Throws DeviceError.
RenderPassHandle makeRenderPass(const Device& device,
                                std::span<const VkAttachmentDescription> attachments,
                                const VkSubpassDescription& subpass,
                                std::span<const VkSubpassDependency> dependencies);

/// An image that a pass clears, draws and leaves in `finalLayout`.
VkAttachmentDescription drawnImage(VkFormat format, VkSampleCountFlagBits samples,
                                   VkAttachmentStoreOp store, VkImageLayout finalLayout);

FramebufferHandle makeFramebuffer(const Device& device, VkRenderPass pass,
                                  std::span<const VkImageView> views, VkExtent2D extent);

void beginPass(VkCommandBuffer commands, VkRenderPass pass, VkFramebuffer framebuffer,
               VkExtent2D extent, std::span<const VkClearValue> clears);

/// The images that the pass itself needs besides the picture; frames in flight share them.
class PassImages {
  public:
    PassImages(const Device& device, const PassForm& form, VkExtent2D extent);

    VkExtent2D extent() const { return extent_; }
    /// A framebuffer whose result is `target`, a view of an image of this size.
    FramebufferHandle makeFramebuffer(VkRenderPass pass, VkImageView target) const;

  private:
    const Device& device_;
    VkExtent2D extent_;
    std::vector<Attachment> attachments_;  // colour, if multisampled; depth
};

}  // namespace threefold::render
