#pragma once

#include <functional>
#include <memory>

#include <vulkan/vulkan.h>

#include "render/memory.h"
#include "render/mesh_preparation.h"
#include "render/scene.h"
#include "render/upload.h"
#include "render/uploaded.h"

namespace threefold::render {

/// Uploads each mesh once. A mesh leaves the device when its SceneMesh is gone and every frame that
/// drew it has released its KeptAlive.
class MeshStore {
  public:
    /// `setLayout` is that of shared::kMeshSet. All arguments must outlive the store.
    MeshStore(const Device& device, VkDescriptorSetLayout setLayout, const Buffer& colourTable);

    /// Whether `get` will return without delay. Otherwise the mesh, large and new, is prepared on
    /// another thread, which then calls `then`.
    bool ready(const SceneMeshRef& mesh, const std::function<void()>& then);

    /// The mesh on the device, null for one without vertices. Records the upload of a new one in
    /// `commands`, outside of a render pass. Throws InputError (makeGeometry; too large for the
    /// device), DeviceError.
    std::shared_ptr<const DeviceMesh> get(const SceneMeshRef& mesh, VkCommandBuffer commands,
                                          KeptAlive& kept);

    /// Forgets meshes that are no longer in use or whose upload was never submitted.
    void tidy() {
        meshes_.tidy();
        preparation_.tidy();
    }

    /// The commands given to `get` were submitted.
    void submitted() { meshes_.submitted(); }

  private:
    const Device& device_;
    VkDescriptorSetLayout setLayout_;
    const Buffer& colourTable_;
    Uploaded<SceneMesh, DeviceMesh> meshes_;
    MeshPreparation preparation_;
};

}  // namespace threefold::render
