#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <vulkan/vulkan.h>

#include "render/buffer.h"
#include "render/mesh_store.h"
#include "render/render_pass.h"
#include "render/scene.h"

namespace threefold::render {

/// Records scenes for one picture format: pipelines, colour tables and the meshes on the device.
/// The device must outlive it and be idle when it goes. One thread only.
class Renderer {
  public:
    /// Throws DeviceError.
    Renderer(const Device& device, VkFormat format, VkImageLayout finalLayout);
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;

    const PassForm& form() const { return form_; }
    VkRenderPass pass() const { return pass_.get(); }

    /// Records the uploads that the scene needs, outside of a render pass. Gives one mesh for each
    /// layer, pane after pane, null where there is nothing to draw. Throws InputError
    /// (makeGeometry; too large), DeviceError; the commands are then to be dropped.
    std::vector<std::shared_ptr<const DeviceMesh>> prepare(VkCommandBuffer commands,
                                                           const Scene& scene, KeptAlive& kept);

    /// Records the whole picture of a scene and its prepared meshes. `clear` is the background as
    /// it shall stand in the picture. The `kept` of `prepare` must live until the commands are
    /// done.
    void record(VkCommandBuffer commands, const Scene& scene,
                std::span<const std::shared_ptr<const DeviceMesh>> meshes, glm::vec4 clear,
                VkFramebuffer framebuffer, VkExtent2D extent) const;

    /// The recorded commands were handed to the queue.
    void submitted() { meshes_.submitted(); }

    /// Meshes that the device holds now.
    std::size_t meshCount() const { return meshes_.size(); }

  private:
    void drawMesh(VkCommandBuffer commands, const DeviceMesh& mesh, Shading shading) const;
    Buffer makeColourTable() const;

    const Device& device_;
    PassForm form_;
    RenderPassHandle pass_;
    SetLayoutHandle setLayout_;
    PipelineLayoutHandle layout_;
    std::array<PipelineHandle, 4> pipelines_;  // by Shading
    Buffer colourTable_;
    MeshStore meshes_;
};

}  // namespace threefold::render
