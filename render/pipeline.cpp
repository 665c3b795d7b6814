#include "render/pipeline.h"

#include <array>

#include "render/vulkan_check.h"
#include "resources/shaders/shared.h"

namespace threefold::render {
namespace {

ShaderModuleHandle makeModule(const Device& device, std::span<const std::uint32_t> code) {
    const VkShaderModuleCreateInfo info{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                        .codeSize = code.size_bytes(),
                                        .pCode = code.data()};
    return {device.handle(), VK_CREATE(vkCreateShaderModule, device.handle(), info)};
}

VkPipelineShaderStageCreateInfo stage(VkShaderStageFlagBits kind, VkShaderModule code,
                                      const VkSpecializationInfo& features) {
    return {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .stage = kind,
            .module = code,
            .pName = "main",
            .pSpecializationInfo = &features};
}

VkPipelineDepthStencilStateCreateInfo depthState(DrawMode mode) {
    const bool writes = mode == DrawMode::opaque || mode == DrawMode::depthOnly ||
                        mode == DrawMode::depthWithoutColour;
    return {.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
            .depthTestEnable = mode == DrawMode::blendedWithoutDepthTest ? VK_FALSE : VK_TRUE,
            .depthWriteEnable = writes ? VK_TRUE : VK_FALSE,
            .depthCompareOp = writes || mode == DrawMode::blendedWithDepthTest
                                  ? VK_COMPARE_OP_LESS
                                  : VK_COMPARE_OP_EQUAL};
}

// The picture holds premultiplied colour; fragments have straight alpha.
VkPipelineColorBlendAttachmentState blendState(DrawMode mode) {
    VkPipelineColorBlendAttachmentState state{
        .srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA,
        .dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
        .colorBlendOp = VK_BLEND_OP_ADD,
        .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
        .dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
        .alphaBlendOp = VK_BLEND_OP_ADD};
    if (mode == DrawMode::depthOnly) return state;
    state.blendEnable = mode == DrawMode::opaque ? VK_FALSE : VK_TRUE;
    state.colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT |
                           VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT;
    return state;
}

}  // namespace

DescriptorSetLayoutHandle makeDescriptorSetLayout(
    const Device& device, std::initializer_list<VkDescriptorSetLayoutBinding> bindings) {
    const VkDescriptorSetLayoutCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = static_cast<std::uint32_t>(bindings.size()),
        .pBindings = bindings.begin()};
    return {device.handle(), VK_CREATE(vkCreateDescriptorSetLayout, device.handle(), info)};
}

PipelineLayoutHandle makePipelineLayout(const Device& device,
                                        std::initializer_list<VkDescriptorSetLayout> sets,
                                        std::uint32_t pushConstantBytes) {
    const VkPushConstantRange range{.stageFlags = kConstantStages, .size = pushConstantBytes};
    const VkPipelineLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                          .setLayoutCount = static_cast<std::uint32_t>(sets.size()),
                                          .pSetLayouts = sets.begin(),
                                          .pushConstantRangeCount = 1,
                                          .pPushConstantRanges = &range};
    return {device.handle(), VK_CREATE(vkCreatePipelineLayout, device.handle(), info)};
}

PipelineHandle makePipeline(const Device& device, const PipelineDescription& description) {
    const ShaderModuleHandle vertex = makeModule(device, description.vertexShader);
    const VkSpecializationMapEntry entry{.constantID = shared::kFeaturesConstant,
                                         .size = sizeof(description.features)};
    const VkSpecializationInfo features{.mapEntryCount = 1,
                                        .pMapEntries = &entry,
                                        .dataSize = sizeof(description.features),
                                        .pData = &description.features};
    std::vector stages{stage(VK_SHADER_STAGE_VERTEX_BIT, vertex.get(), features)};
    ShaderModuleHandle fragment;
    if (!description.fragmentShader.empty()) {
        fragment = makeModule(device, description.fragmentShader);
        stages.push_back(stage(VK_SHADER_STAGE_FRAGMENT_BIT, fragment.get(), features));
    }
    const VkPipelineVertexInputStateCreateInfo input{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    const VkPipelineViewportStateCreateInfo viewport{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .scissorCount = 1};
    const VkPipelineRasterizationStateCreateInfo rasterisation{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .polygonMode = VK_POLYGON_MODE_FILL,
        .cullMode = VK_CULL_MODE_NONE,
        .frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE,
        .lineWidth = 1.0F};
    const VkPipelineMultisampleStateCreateInfo multisampling{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = description.samples};
    const VkPipelineDepthStencilStateCreateInfo depth = depthState(description.drawMode);
    const VkPipelineColorBlendAttachmentState blend = blendState(description.drawMode);
    const VkPipelineColorBlendStateCreateInfo blending{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = description.drawMode == DrawMode::depthWithoutColour ? 0U : 1U,
        .pAttachments = &blend};
    const std::array dynamics{VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    const VkPipelineDynamicStateCreateInfo dynamic{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = static_cast<std::uint32_t>(dynamics.size()),
        .pDynamicStates = dynamics.data()};
    const VkGraphicsPipelineCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .stageCount = static_cast<std::uint32_t>(stages.size()),
        .pStages = stages.data(),
        .pVertexInputState = &input,
        .pInputAssemblyState = &assembly,
        .pViewportState = &viewport,
        .pRasterizationState = &rasterisation,
        .pMultisampleState = &multisampling,
        .pDepthStencilState = &depth,
        .pColorBlendState = &blending,
        .pDynamicState = &dynamic,
        .layout = description.layout,
        .renderPass = description.pass};
    VkPipeline pipeline = VK_NULL_HANDLE;
    VK_CHECK(
        vkCreateGraphicsPipelines(device.handle(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
    return {device.handle(), pipeline};
}

DescriptorBinding bufferBinding(std::uint32_t binding, VkDescriptorType type, VkBuffer buffer) {
    return {.binding = binding,
            .type = type,
            .resource = VkDescriptorBufferInfo{buffer, 0, VK_WHOLE_SIZE}};
}

DescriptorBinding imageBinding(std::uint32_t binding, VkSampler sampler, VkImageView view,
                               VkImageLayout layout) {
    return {.binding = binding,
            .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
            .resource = VkDescriptorImageInfo{sampler, view, layout}};
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
                                std::initializer_list<DescriptorBinding> bindings) {
    std::vector<VkDescriptorPoolSize> sizes;
    for (const DescriptorBinding& bound : bindings) sizes.push_back({bound.type, 1});
    DescriptorSet result{.pool = makeDescriptorPool(device, sizes)};
    const VkDescriptorSetAllocateInfo allocation{
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = result.pool.get(),
        .descriptorSetCount = 1,
        .pSetLayouts = &layout};
    VK_CHECK(vkAllocateDescriptorSets(device.handle(), &allocation, &result.set));
    for (const DescriptorBinding& bound : bindings) {
        const VkWriteDescriptorSet write{
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = result.set,
            .dstBinding = bound.binding,
            .descriptorCount = 1,
            .descriptorType = bound.type,
            .pImageInfo = std::get_if<VkDescriptorImageInfo>(&bound.resource),
            .pBufferInfo = std::get_if<VkDescriptorBufferInfo>(&bound.resource)};
        vkUpdateDescriptorSets(device.handle(), 1, &write, 0, nullptr);
    }
    return result;
}

}  // namespace threefold::render
