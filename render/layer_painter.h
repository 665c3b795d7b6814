#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "render/layer_pipelines.h"
#include "render/mesh_store.h"
#include "render/pane_view.h"
#include "render/value_store.h"

namespace threefold::render {

/// A layer whose mesh is on the device; without a mesh, nothing is drawn.
struct PreparedLayer {
    std::shared_ptr<const DeviceMesh> mesh;
    std::shared_ptr<const DeviceValues> values;
};

/// The layers of each pane of a scene.
using PreparedScene = std::vector<std::vector<PreparedLayer>>;

/// Whether ambient occlusion darkens a layer of the scene. It darkens plain, opaque surfaces only:
/// colours that stand for values must match their legend.
bool showsAmbientOcclusion(const Scene& scene);

/// Draws the layers of panes. For one thread; the device must outlive the painter.
class LayerPainter {
  public:
    /// Throws DeviceError.
    LayerPainter(const Device& device, VkRenderPass pass, VkSampleCountFlagBits samples);

    /// Discards all pipelines and makes later ones for `pass`; keeps meshes and values. The device
    /// must be idle.
    void setPass(VkRenderPass pass, VkSampleCountFlagBits samples) {
        pipelines_.setPass(pass, samples);
    }

    /// Whether prepare() need not wait for any mesh of the scene.
    bool isReady(const Scene& scene) const;

    /// Starts to prepare the scene's meshes that are not ready, by MeshStager::startPreparing(),
    /// which calls `onReady` for each.
    void startPreparing(const Scene& scene, const std::function<void()>& onReady);

    /// Records the scene's uploads, outside a render pass. `resources` must live until the commands
    /// are done. Throws InputError (for an index out of range; a wrong number of values, texture
    /// coordinates or texels; data too large for a buffer of the device), DeviceError; discard the
    /// commands then.
    PreparedScene prepare(VkCommandBuffer commands, const Scene& scene, FrameResources& resources);

    /// Records the panes' layers, inside the render pass. `views`: one for each pane;
    /// `occlusion`: a descriptor set of LayerPipelines::ambientOcclusionSetLayout(), required if
    /// showsAmbientOcclusion(scene).
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
