#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>

#include <vulkan/vulkan.h>

#include "render/device.h"
#include "render/handle.h"

namespace threefold::render {

/// The stages that read push constants, the same in every pipeline.
inline constexpr VkShaderStageFlags kConstantStages =
    VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;

struct SetSlot {
    std::uint32_t binding;
    VkDescriptorType type;
    VkShaderStageFlags stages;
};
SetLayoutHandle makeSetLayout(const Device& device, std::initializer_list<SetSlot> slots);

/// `constants`: bytes of push constants.
PipelineLayoutHandle makePipelineLayout(const Device& device,
                                        std::initializer_list<VkDescriptorSetLayout> sets,
                                        std::uint32_t constants);

/// How a pipeline treats colour and depth.
enum class PipelineUse {
    opaque,     ///< writes colour and depth, depth test "less"
    depthOnly,  ///< writes depth only, depth test "less"
    blended,    ///< alpha blending, depth test "equal": after depthOnly
    tested,     ///< alpha blending, depth test "less", writes no depth
    overlaid,   ///< alpha blending, no depth test
    depthPass,  ///< depthOnly in a pass without a colour attachment
};

struct PipelineForm {
    std::span<const std::uint32_t> vertexCode;    ///< SPIR-V
    std::span<const std::uint32_t> fragmentCode;  ///< SPIR-V; empty: none
    PipelineUse use = PipelineUse::opaque;
    std::uint32_t features = 0;  ///< shared::kFeaturesConstant of both shaders
    VkPipelineLayout layout = VK_NULL_HANDLE;
    VkRenderPass pass = VK_NULL_HANDLE;
    VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
};

/// Draws triangles without vertex attributes, both sides; viewport and scissor are dynamic.
/// Throws DeviceError.
PipelineHandle makePipeline(const Device& device, const PipelineForm& form);

}  // namespace threefold::render
