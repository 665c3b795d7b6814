#pragma once

#include <cstdint>
#include <span>

#include <vulkan/vulkan.h>

#include "render/device.h"
#include "render/handle.h"

namespace threefold::render {

/// The stages that every pipeline's push constants are given to.
inline constexpr VkShaderStageFlags kConstantStages =
    VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;

SetLayoutHandle makeSetLayout(const Device& device,
                              std::span<const VkDescriptorSetLayoutBinding> bindings);
/// Those sets, and so many bytes of push constants.
PipelineLayoutHandle makePipelineLayout(const Device& device,
                                        std::span<const VkDescriptorSetLayout> sets,
                                        std::uint32_t constants);

/// What drawing does to the colour and the depth that are there.
enum class PipelineUse {
    opaque,     ///< nearer wins
    depthOnly,  ///< the depth of what is nearer, no colour
    blended,    ///< colour by its alpha, where the depth is its own: after depthOnly
    upon,       ///< colour by its alpha, whatever the depth
    depthPass,  ///< as depthOnly, in a pass that has no colour
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

/// Triangles without vertex attributes, both sides; viewport and scissor are set while recording.
/// Throws DeviceError.
PipelineHandle makePipeline(const Device& device, const PipelineForm& form);

}  // namespace threefold::render
