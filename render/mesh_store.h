#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <glm/vec3.hpp>
#include <vulkan/vulkan.h>

#include "render/buffer.h"
#include "render/handle.h"
#include "render/scene.h"

namespace threefold::render {

struct MeshGeometry;

/// What a frame in flight reads; released by clearing it once the frame is done.
using KeptAlive = std::vector<std::shared_ptr<const void>>;

/// A mesh on the device.
struct DeviceMesh {
    Buffer vertices;
    Buffer indices;
    DescriptorPoolHandle pool;
    VkDescriptorSet set = VK_NULL_HANDLE;
    std::uint32_t vertexCount = 0;
    std::uint32_t indexCount = 0;
    glm::vec3 centre{0.0F};
    float radius = 0.0F;
};

/// Uploads each mesh with its values once. A mesh leaves the device when nobody holds the SceneMesh
/// any more and every frame that drew it has let go of its KeptAlive.
class MeshStore {
  public:
    /// The layout of `setLayout` is that of resources/shaders/common.glsl. All three arguments
    /// must outlive the store.
    MeshStore(const Device& device, VkDescriptorSetLayout setLayout, const Buffer& colourTable);

    /// The mesh on the device, null for one without vertices. Where it is new, `commands` (outside
    /// of a render pass) gets its upload. Throws InputError (makeGeometry; too large for the
    /// device), DeviceError.
    std::shared_ptr<const DeviceMesh> get(const SceneMeshRef& mesh, const SceneValuesRef& values,
                                          VkCommandBuffer commands, KeptAlive& kept);

    /// Forgets meshes that nobody holds, and those whose commands never reached the device.
    void tidy();

    /// The commands given to `get` were submitted: what they upload will be there.
    void submitted();

    std::size_t size() const { return entries_.size(); }

  private:
    struct Entry {
        std::shared_ptr<const DeviceMesh> mesh;
        bool submitted = false;
    };

    std::shared_ptr<const DeviceMesh> upload(const MeshGeometry& geometry, VkCommandBuffer commands,
                                             KeptAlive& kept) const;
    void describe(DeviceMesh& mesh) const;

    const Device& device_;
    VkDescriptorSetLayout setLayout_;
    const Buffer& colourTable_;
    using Key = std::pair<std::weak_ptr<const SceneMesh>, std::weak_ptr<const SceneValues>>;
    struct ByOwner {
        bool operator()(const Key& a, const Key& b) const {
            if (a.first.owner_before(b.first)) return true;
            if (b.first.owner_before(a.first)) return false;
            return a.second.owner_before(b.second);
        }
    };
    std::map<Key, Entry, ByOwner> entries_;
};

}  // namespace threefold::render
