#pragma once

#include <functional>
#include <memory>

#include "render/memory.h"
#include "render/mesh_stager.h"
#include "render/pipeline.h"
#include "render/upload_cache.h"

namespace threefold::render {

/// A mesh on the device, with the descriptors of shared::kMeshSet.
struct DeviceMesh {
    StagedMesh geometry;
    DescriptorSet descriptors;
};

/// Uploads each mesh once. A mesh is freed when its SceneMesh is gone and every frame that drew the
/// mesh has released its FrameResources.
class MeshStore {
  public:
    /// `setLayout`: layout of shared::kMeshSet. All arguments must outlive the store.
    MeshStore(const Device& device, VkDescriptorSetLayout setLayout, const Buffer& colourTable);

    /// Whether get() will return at once.
    bool isReady(const SceneMeshRef& mesh) const {
        return meshes_.contains(mesh) || stager_.isReady(mesh);
    }

    /// Calls MeshStager::startPreparing() unless the mesh is on the device.
    void startPreparing(const SceneMeshRef& mesh, const std::function<void()>& onReady) {
        if (!meshes_.contains(mesh)) stager_.startPreparing(mesh, onReady);
    }

    /// Returns the mesh on the device, null for a mesh without vertices. Records the upload of a
    /// new mesh in `commands`, outside a render pass. Throws InputError (for an index out of range,
    /// or a mesh too large for the device), DeviceError.
    std::shared_ptr<const DeviceMesh> get(const SceneMeshRef& mesh, VkCommandBuffer commands,
                                          FrameResources& resources);

    /// Forgets meshes that are no longer in use or whose upload was never submitted.
    void removeUnused() {
        meshes_.removeUnused();
        stager_.removeUnused();
    }

    /// Notes that the commands given to `get` were submitted.
    void markSubmitted() { meshes_.markSubmitted(); }

  private:
    const Device& device_;
    VkDescriptorSetLayout setLayout_;
    const Buffer& colourTable_;
    UploadCache<DeviceMesh> meshes_;
    MeshStager stager_;
};

}  // namespace threefold::render
