#include "render/descriptors.h"

#include <array>
#include <vector>

#include "render/vulkan_check.h"

namespace threefold::render {

namespace {

DescriptorSet makeSet(const Device& device, VkDescriptorSetLayout layout,
                      std::span<const VkDescriptorPoolSize> sizes) {
    const VkDescriptorPoolCreateInfo poolInfo{
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = static_cast<std::uint32_t>(sizes.size()),
        .pPoolSizes = sizes.data()};
    VkDescriptorPool pool = VK_NULL_HANDLE;
    VK_CHECK(vkCreateDescriptorPool(device.handle(), &poolInfo, nullptr, &pool));
    DescriptorSet made;
    made.pool = {device.handle(), pool};

    const VkDescriptorSetAllocateInfo allocation{
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &layout};
    VK_CHECK(vkAllocateDescriptorSets(device.handle(), &allocation, &made.set));
    return made;
}

void write(const Device& device, std::span<const VkWriteDescriptorSet> writes) {
    vkUpdateDescriptorSets(device.handle(), static_cast<std::uint32_t>(writes.size()),
                           writes.data(), 0, nullptr);
}

}  // namespace

DescriptorSet makeDescriptorSet(const Device& device, VkDescriptorSetLayout layout,
                                std::span<const BoundImage> bounds) {
    const std::array sizes{VkDescriptorPoolSize{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                                static_cast<std::uint32_t>(bounds.size())}};
    DescriptorSet made = makeSet(device, layout, sizes);
    std::vector<VkDescriptorImageInfo> images;
    for (const BoundImage& bound : bounds) {
        images.push_back({bound.sampler, bound.view, bound.layout});
    }
    std::vector<VkWriteDescriptorSet> writes;
    for (std::size_t i = 0; i < bounds.size(); ++i) {
        writes.push_back({.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                          .dstSet = made.set,
                          .dstBinding = bounds[i].binding,
                          .descriptorCount = 1,
                          .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                          .pImageInfo = &images[i]});
    }
    write(device, writes);
    return made;
}

DescriptorSet makeDescriptorSet(const Device& device, VkDescriptorSetLayout layout,
                                std::span<const BoundBuffer> bounds) {
    std::vector<VkDescriptorPoolSize> sizes;
    for (const BoundBuffer& bound : bounds) sizes.push_back({bound.type, 1});
    DescriptorSet made = makeSet(device, layout, sizes);

    std::vector<VkDescriptorBufferInfo> buffers;
    for (const BoundBuffer& bound : bounds) buffers.push_back({bound.buffer, 0, VK_WHOLE_SIZE});
    std::vector<VkWriteDescriptorSet> writes;
    for (std::size_t i = 0; i < bounds.size(); ++i) {
        writes.push_back({.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                          .dstSet = made.set,
                          .dstBinding = bounds[i].binding,
                          .descriptorCount = 1,
                          .descriptorType = bounds[i].type,
                          .pBufferInfo = &buffers[i]});
    }
    write(device, writes);
    return made;
}

}  // namespace threefold::render
