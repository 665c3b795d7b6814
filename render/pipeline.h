#pragma once

#include <initializer_list>
#include <span>
#include <variant>

#include "render/device.h"
#include "render/handle.h"

namespace threefold::render {

/// The stages that read push constants, the same in every pipeline.
inline constexpr VkShaderStageFlags kConstantStages =
    VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;

/// Makes a descriptor set layout of `bindings`, whose descriptorCount must be 1. Throws
/// DeviceError.
DescriptorSetLayoutHandle makeDescriptorSetLayout(
    const Device& device, std::initializer_list<VkDescriptorSetLayoutBinding> bindings);

/// Makes a pipeline layout. Throws DeviceError.
PipelineLayoutHandle makePipelineLayout(const Device& device,
                                        std::initializer_list<VkDescriptorSetLayout> sets,
                                        std::uint32_t pushConstantBytes);

/// Handling of colour and depth in a pipeline.
enum class DrawMode {
    opaque,                   ///< writes colour and depth, depth test "less"
    depthOnly,                ///< writes depth only, depth test "less"
    depthWithoutColour,       ///< depthOnly in a pass without a colour attachment
    blendedAtEqualDepth,      ///< alpha blending, depth test "equal"; for use after depthOnly
    blendedWithDepthTest,     ///< alpha blending, depth test "less", writes no depth
    blendedWithoutDepthTest,  ///< alpha blending, no depth test
};

/// SPIR-V of a shader of resources/shaders, compiled at build time (<shaders/code.h>).
using ShaderCode = std::span<const std::uint32_t>;

/// Bitwise OR of shared::kByValue, kByNormal and so on.
using LayerFeatures = std::uint32_t;

/// Shaders and state of a pipeline, and the pass that it draws in.
struct PipelineDescription {
    ShaderCode vertexShader;
    ShaderCode fragmentShader;  ///< empty: none
    DrawMode drawMode = DrawMode::opaque;
    LayerFeatures features = 0;  ///< value of shared::kFeaturesConstant in both shaders
    VkPipelineLayout layout = VK_NULL_HANDLE;
    VkRenderPass pass = VK_NULL_HANDLE;
    VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
};

/// Makes a pipeline that draws both sides of triangles without vertex attributes; viewport and
/// scissor are dynamic. Throws DeviceError.
PipelineHandle makePipeline(const Device& device, const PipelineDescription& description);

/// A descriptor set with a pool of its own.
struct DescriptorSet {
    DescriptorPoolHandle pool;
    VkDescriptorSet set = VK_NULL_HANDLE;
};

/// Resource of a binding in a set, of the kind that `type` needs.
struct DescriptorBinding {
    std::uint32_t binding;
    VkDescriptorType type;
    std::variant<VkDescriptorBufferInfo, VkDescriptorImageInfo> resource;
};
/// Binds a whole buffer.
DescriptorBinding bufferBinding(std::uint32_t binding, VkDescriptorType type, VkBuffer buffer);
/// Binds an image and the sampler that reads it; shaders expect the image in `layout`.
DescriptorBinding imageBinding(std::uint32_t binding, VkSampler sampler, VkImageView view,
                               VkImageLayout layout);

/// Makes a set of the given layout. Throws DeviceError.
DescriptorSet makeDescriptorSet(const Device& device, VkDescriptorSetLayout layout,
                                std::initializer_list<DescriptorBinding> bindings);

/// Makes a pool for one set, or for several sets that can be freed one by one. Throws DeviceError.
DescriptorPoolHandle makeDescriptorPool(const Device& device,
                                        std::span<const VkDescriptorPoolSize> sizes,
                                        std::uint32_t sets = 1);

}  // namespace threefold::render
