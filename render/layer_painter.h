#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "render/mesh_store.h"
#include "render/pane_view.h"
#include "render/pipeline.h"
#include "render/value_store.h"

namespace threefold::render {

/// Drawing method of a layer; each has its own shaders.
enum class LayerKind {
    smooth,         ///< indexed, no lines
    flat,           ///< face by face, no lines
    edges,          ///< face by face, lines upon the surface
    wireframe,      ///< face by face, lines only
    points,         ///< discs
    outline,        ///< indexed, line around the silhouette
    pointsOutline,  ///< line around discs
};

/// Key of a layer's pipeline.
struct LayerPipelineKey {
    LayerKind kind = LayerKind::smooth;
    DrawMode drawMode = DrawMode::opaque;
    LayerFeatures features = 0;
    bool occluded = false;  ///< with the occlusion set bound; surfaces only

    // NOLINTNEXTLINE(modernize-use-nullptr): clang 14 takes the zero it compares with for a pointer
    auto operator<=>(const LayerPipelineKey&) const = default;
};

/// Pipelines of layers, each made on first use to keep start-up short. The device must outlive the
/// object.
class LayerPipelines {
  public:
    /// Throws DeviceError.
    LayerPipelines(const Device& device, VkRenderPass pass, VkSampleCountFlagBits samples);

    /// Discards all pipelines, for another pass. The device must be idle.
    void setPass(VkRenderPass pass, VkSampleCountFlagBits samples);

    /// Makes the pipeline unless it exists. Throws DeviceError.
    void ensure(LayerPipelineKey key);
    /// Returns a pipeline that ensure() made. Throws std::out_of_range for another key.
    VkPipeline get(LayerPipelineKey key) const;

    VkPipelineLayout layout() const { return layout_.get(); }
    VkDescriptorSetLayout meshSet() const { return meshSet_.get(); }
    VkDescriptorSetLayout valueSet() const { return valueSet_.get(); }
    VkDescriptorSetLayout occlusionSet() const { return occlusionSet_.get(); }

  private:
    const Device& device_;
    VkRenderPass pass_;
    VkSampleCountFlagBits samples_;
    SetLayoutHandle meshSet_, valueSet_, occlusionSet_;
    PipelineLayoutHandle layout_;
    std::map<LayerPipelineKey, PipelineHandle> pipelines_;
};

/// A layer whose mesh is on the device; without a mesh, nothing is drawn.
struct PreparedLayer {
    std::shared_ptr<const DeviceMesh> mesh;
    std::shared_ptr<const DeviceValues> values;
};

/// The layers of each pane of a scene.
using PreparedScene = std::vector<std::vector<PreparedLayer>>;

/// Whether ambient occlusion darkens a layer of the scene. It darkens plain, opaque surfaces only:
/// colours that stand for values must match their legend.
bool showsOcclusion(const Scene& scene);

/// Draws the layers of panes. For one thread; the device must outlive the painter.
class LayerPainter {
  public:
    /// Throws DeviceError.
    LayerPainter(const Device& device, VkRenderPass pass, VkSampleCountFlagBits samples);

    /// Calls LayerPipelines::setPass; meshes and values stay on the device.
    void setPass(VkRenderPass pass, VkSampleCountFlagBits samples) {
        pipelines_.setPass(pass, samples);
    }

    /// Returns true if `prepare` will return without waiting for a large mesh. Otherwise starts
    /// preparing the mesh on another thread, which then calls `onReady`, and returns false.
    bool prepareAsync(const Scene& scene, const std::function<void()>& onReady);

    /// Records the scene's uploads, outside a render pass. `resources` must live until the
    /// commands are done. Throws InputError (makeGeometry; a wrong number of values; too large),
    /// DeviceError; discard the commands then.
    PreparedScene prepare(VkCommandBuffer commands, const Scene& scene, FrameResources& resources);

    /// Records the panes' layers, inside the render pass. `views`: one for each pane;
    /// `occlusion`: a descriptor set as LayerPipelines::occlusionSet, required if
    /// showsOcclusion(scene).
    void record(VkCommandBuffer commands, const Scene& scene, const PreparedScene& prepared,
                std::span<const PaneView> views, VkDescriptorSet occlusion) const;

    /// Records only the depth of opaque surfaces, inside of the colourless pass of `pipelines`.
    void recordDepth(VkCommandBuffer commands, const Scene& scene, const PreparedScene& prepared,
                     std::span<const PaneView> views, LayerPipelines& pipelines) const;

    /// Notes that the recorded commands were submitted.
    void markSubmitted();

  private:
    LayerPipelines pipelines_;
    Buffer colourTable_;
    MeshStore meshes_;
    ValueStore values_;
};

}  // namespace threefold::render
