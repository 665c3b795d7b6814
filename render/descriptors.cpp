#include "render/descriptors.h"

#include <vector>

#include "render/vulkan_check.h"

namespace threefold::render {

Bound boundBuffer(std::uint32_t binding, VkDescriptorType type, VkBuffer buffer) {
    return {.binding = binding, .type = type, .buffer = {buffer, 0, VK_WHOLE_SIZE}};
}

Bound boundImage(std::uint32_t binding, VkSampler sampler, VkImageView view, VkImageLayout layout) {
    return {.binding = binding,
            .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
            .image = {sampler, view, layout}};
}

DescriptorPoolHandle makeDescriptorPool(const Device& device,
                                        std::span<const VkDescriptorPoolSize> sizes,
                                        std::uint32_t sets) {
    const VkDescriptorPoolCreateFlags flags =
        sets > 1 ? VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT : 0;
    const VkDescriptorPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                          .flags = flags,
                                          .maxSets = sets,
                                          .poolSizeCount = static_cast<std::uint32_t>(sizes.size()),
                                          .pPoolSizes = sizes.data()};
    return {device.handle(), VK_CREATE(vkCreateDescriptorPool, device.handle(), info)};
}

DescriptorSet makeDescriptorSet(const Device& device, VkDescriptorSetLayout layout,
                                std::initializer_list<Bound> bounds) {
    std::vector<VkDescriptorPoolSize> sizes;
    for (const Bound& bound : bounds) sizes.push_back({bound.type, 1});
    DescriptorSet made{.pool = makeDescriptorPool(device, sizes)};
    const VkDescriptorSetAllocateInfo allocation{
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = made.pool.get(),
        .descriptorSetCount = 1,
        .pSetLayouts = &layout};
    VK_CHECK(vkAllocateDescriptorSets(device.handle(), &allocation, &made.set));
    for (const Bound& bound : bounds) {
        const VkWriteDescriptorSet write{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                         .dstSet = made.set,
                                         .dstBinding = bound.binding,
                                         .descriptorCount = 1,
                                         .descriptorType = bound.type,
                                         .pImageInfo = &bound.image,
                                         .pBufferInfo = &bound.buffer};
        vkUpdateDescriptorSets(device.handle(), 1, &write, 0, nullptr);
    }
    return made;
}

}  // namespace threefold::render
