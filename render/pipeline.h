#pragma once

#include <cstdint>
#include <span>

#include <vulkan/vulkan.h>

#include "render/device.h"
#include "render/handle.h"

namespace threefold::render {

/// The one descriptor set of every pipeline: colour table, vertices, indices.
SetLayoutHandle makeSetLayout(const Device& device);
/// That set, and PaneConstants as push constants.
PipelineLayoutHandle makePipelineLayout(const Device& device, VkDescriptorSetLayout set);

struct PipelineForm {
    std::span<const std::uint32_t> vertexCode;    ///< SPIR-V
    std::span<const std::uint32_t> fragmentCode;  ///< SPIR-V
    VkPipelineLayout layout;
    VkRenderPass pass;
    VkSampleCountFlagBits samples;
};

/// Triangles without vertex attributes, both sides, opaque, nearer wins; viewport and scissor are
/// set while recording. Throws DeviceError.
PipelineHandle makePipeline(const Device& device, const PipelineForm& form);

}  // namespace threefold::render
