#pragma once

#include <array>
#include <cstddef>

#include "render/pipeline.h"

namespace threefold::render {

/// The ways to draw a layer; each has its shaders.
enum class LayerKind {
    smooth,     ///< indexed, no lines
    flat,       ///< face by face, no lines
    edges,      ///< face by face, lines upon the surface
    wireframe,  ///< face by face, lines only
    points,     ///< discs
};

/// The pipelines of layers, each made when it is first asked for: a start pays for one, not for
/// all. The device must outlive it.
class LayerPipelines {
  public:
    /// Throws DeviceError.
    LayerPipelines(const Device& device, VkRenderPass pass, VkSampleCountFlagBits samples);

    /// Makes what `get` gives: with `cut`, a layer begins at its first column. Throws DeviceError.
    void need(LayerKind kind, PipelineUse use, bool cut);
    /// One that was needed before.
    VkPipeline get(LayerKind kind, PipelineUse use, bool cut) const;

    VkPipelineLayout layout() const { return layout_.get(); }
    VkDescriptorSetLayout meshSet() const { return meshSet_.get(); }
    VkDescriptorSetLayout valueSet() const { return valueSet_.get(); }

  private:
    static constexpr std::size_t kKinds = 5, kUses = 3;
    static std::size_t placeOf(LayerKind kind, PipelineUse use, bool cut) {
        const std::size_t place =
            static_cast<std::size_t>(kind) * kUses + static_cast<std::size_t>(use);
        return 2 * place + (cut ? 1 : 0);
    }

    const Device& device_;
    VkRenderPass pass_;
    VkSampleCountFlagBits samples_;
    SetLayoutHandle meshSet_, valueSet_;
    PipelineLayoutHandle layout_;
    std::array<PipelineHandle, 2 * kKinds * kUses> pipelines_;
};

}  // namespace threefold::render
