#pragma once

#include <cstdint>
#include <span>

#include <vulkan/vulkan.h>

#include "render/device.h"
#include "render/handle.h"

namespace threefold::render {

/// A descriptor set with its own pool, so that it goes with what it describes.
struct DescriptorSet {
    DescriptorPoolHandle pool;
    VkDescriptorSet set = VK_NULL_HANDLE;
};

/// A whole buffer at a binding of a set.
struct BoundBuffer {
    std::uint32_t binding;
    VkDescriptorType type;  ///< uniform or storage buffer
    VkBuffer buffer;
};

/// An image at a binding of a set, read through a sampler.
struct BoundImage {
    std::uint32_t binding;
    VkSampler sampler;
    VkImageView view;
    VkImageLayout layout;  ///< when it is read
};

/// A set of the given layout. Throws DeviceError.
DescriptorSet makeDescriptorSet(const Device& device, VkDescriptorSetLayout layout,
                                std::span<const BoundImage> bounds);
DescriptorSet makeDescriptorSet(const Device& device, VkDescriptorSetLayout layout,
                                std::span<const BoundBuffer> bounds);

}  // namespace threefold::render
