#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include <glm/vec3.hpp>
#include <vulkan/vulkan.h>

#include "render/buffer.h"
#include "render/descriptors.h"
#include "render/mesh_preparation.h"
#include "render/scene.h"
#include "render/upload.h"
#include "render/uploaded.h"

namespace threefold::render {

/// A mesh on the device.
struct DeviceMesh {
    Buffer vertices;
    Buffer indices;
    DescriptorSet descriptors;
    std::uint32_t vertexCount = 0;
    std::uint32_t indexCount = 0;
    glm::vec3 centre{0.0F};
    float radius = 0.0F;
};

/// Uploads each mesh once. A mesh leaves the device when nobody holds the SceneMesh any more and
/// every frame that drew it has let go of its KeptAlive.
class MeshStore {
  public:
    /// The layout of `setLayout` is that of shared::kMeshSet. All three arguments must outlive the
    /// store.
    MeshStore(const Device& device, VkDescriptorSetLayout setLayout, const Buffer& colourTable);

    /// Whether `get` will give the mesh without making the caller wait. Where it is large and new,
    /// it is made ready on another thread, which then calls `then`.
    bool ready(const SceneMeshRef& mesh, const std::function<void()>& then);

    /// The mesh on the device, null for one without vertices. Where it is new, `commands` (outside
    /// of a render pass) gets its upload. Throws InputError (makeGeometry; too large for the
    /// device), DeviceError.
    std::shared_ptr<const DeviceMesh> get(const SceneMeshRef& mesh, VkCommandBuffer commands,
                                          KeptAlive& kept);

    /// Forgets meshes that nobody holds, and those whose commands never reached the device.
    void tidy() {
        meshes_.tidy();
        preparation_.tidy();
    }

    /// The commands given to `get` were submitted: what they upload will be there.
    void submitted() { meshes_.submitted(); }

    std::size_t size() const { return meshes_.size(); }

  private:
    const Device& device_;
    VkDescriptorSetLayout setLayout_;
    const Buffer& colourTable_;
    Uploaded<SceneMesh, DeviceMesh> meshes_;
    MeshPreparation preparation_;
};

}  // namespace threefold::render
