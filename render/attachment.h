#pragma once

#include "render/memory.h"

namespace threefold::render {

inline constexpr VkFormat kDepthFormat = VK_FORMAT_D32_SFLOAT;
inline constexpr VkFormat kOffscreenFormat = VK_FORMAT_R8G8B8A8_UNORM;

/// An image that a render pass draws into, with its memory and a view of the whole image.
class Attachment {
  public:
    struct Description {
        VkFormat format;
        VkExtent2D extent;
        VkSampleCountFlagBits samples;
        VkImageUsageFlags usage;
    };

    /// Throws DeviceError.
    Attachment(const Device& device, const Description& description);

    VkImage image() const { return image_.get(); }
    VkImageView view() const { return view_.get(); }

  private:
    // Destroyed in reverse order: view, image, memory.
    MemoryHandle memory_;
    ImageHandle image_;
    ImageViewHandle view_;
};

inline bool sameSize(VkExtent2D a, VkExtent2D b) {
    return a.width == b.width && a.height == b.height;
}

/// Makes a view of the depth or colours of a whole single-layer image. Throws DeviceError.
ImageViewHandle makeImageView(const Device& device, VkImage image, VkFormat format);

}  // namespace threefold::render
