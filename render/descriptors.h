#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>

#include <vulkan/vulkan.h>

#include "render/device.h"
#include "render/handle.h"

namespace threefold::render {

/// A descriptor set with a pool of its own.
struct DescriptorSet {
    DescriptorPoolHandle pool;
    VkDescriptorSet set = VK_NULL_HANDLE;
};

/// What a binding of a set refers to: `buffer` or `image`, depending on `type`.
struct Bound {
    std::uint32_t binding;
    VkDescriptorType type;
    VkDescriptorBufferInfo buffer{};
    VkDescriptorImageInfo image{};
};
/// A whole buffer.
Bound boundBuffer(std::uint32_t binding, VkDescriptorType type, VkBuffer buffer);
/// An image that is read through a sampler, in `layout` at that time.
Bound boundImage(std::uint32_t binding, VkSampler sampler, VkImageView view, VkImageLayout layout);

/// A set of the given layout. Throws DeviceError.
DescriptorSet makeDescriptorSet(const Device& device, VkDescriptorSetLayout layout,
                                std::initializer_list<Bound> bounds);

/// A pool for one set, or for several that can be freed one by one. Throws DeviceError.
DescriptorPoolHandle makeDescriptorPool(const Device& device,
                                        std::span<const VkDescriptorPoolSize> sizes,
                                        std::uint32_t sets = 1);

}  // namespace threefold::render
