#pragma once

#include <vector>

#include <vulkan/vulkan.h>

#include "render/attachment.h"
#include "render/handle.h"

namespace threefold::render {

/// What pictures a render pass draws: multisampled colour and depth, resolved into an image of
/// `format` that is left in `finalLayout`.
struct PassForm {
    VkFormat format;
    VkImageLayout finalLayout;
    VkSampleCountFlagBits samples;
};

/// Four samples a pixel, or as many fewer as the device has.
VkSampleCountFlagBits chooseSamples(const Device& device);

/// The whole picture is cleared, drawn and resolved in one subpass.
RenderPassHandle makeRenderPass(const Device& device, const PassForm& form);

/// The images behind the picture that only the pass itself needs; frames in flight share them.
class PassImages {
  public:
    PassImages(const Device& device, const PassForm& form, VkExtent2D extent);

    VkExtent2D extent() const { return extent_; }
    /// A framebuffer that ends in `target`, a view of an image of this size.
    FramebufferHandle makeFramebuffer(VkRenderPass pass, VkImageView target) const;

  private:
    const Device& device_;
    VkExtent2D extent_;
    std::vector<Attachment> attachments_;  // colour, where there is more than one sample; depth
};

}  // namespace threefold::render
