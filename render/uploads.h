#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <utility>

#include <vulkan/vulkan.h>

#include "render/memory.h"
#include "render/mesh_preparation.h"
#include "render/pipeline.h"
#include "render/scene.h"

namespace threefold::render {

/// Maps shared objects of the scene to their copies on the device. An entry lasts as long as its
/// object, and is valid only once the commands that upload it were submitted.
template <typename Source, typename OnDevice>
class Uploaded {
  public:
    bool contains(const std::shared_ptr<const Source>& source) const {
        return entries_.contains(source);
    }

    /// Null if unknown; else the frame of `kept` reads it.
    std::shared_ptr<const OnDevice> find(const std::shared_ptr<const Source>& source,
                                         KeptAlive& kept) const {
        const auto entry = entries_.find(source);
        if (entry == entries_.end()) return nullptr;
        kept.push_back(entry->second.onDevice);
        return entry->second.onDevice;
    }

    /// `complete`: needs no upload commands.
    void add(const std::shared_ptr<const Source>& source, std::shared_ptr<const OnDevice> made,
             bool complete = false) {
        entries_.emplace(source, Entry{std::move(made), complete});
    }

    /// Forgets objects that are gone and uploads that were never submitted.
    void tidy() {
        std::erase_if(entries_, [](const auto& entry) {
            return entry.first.expired() || !entry.second.submitted;
        });
    }

    void submitted() {
        for (auto& [source, entry] : entries_) entry.submitted = true;
    }

  private:
    struct Entry {
        std::shared_ptr<const OnDevice> onDevice;
        bool submitted = false;
    };
    std::map<std::weak_ptr<const Source>, Entry, std::owner_less<>> entries_;
};

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

/// Values on the device.
struct DeviceValues {
    Buffer buffer;
    DescriptorSet descriptors;
};

/// Uploads each set of values and each texture once and releases it as MeshStore does meshes.
class ValueStore {
  public:
    /// `setLayout` is that of shared::kValueSet. Both arguments must outlive the store. Throws
    /// DeviceError.
    ValueStore(const Device& device, VkDescriptorSetLayout setLayout);

    /// The values on the device, not empty; null gives a placeholder that no shader reads.
    /// Throws InputError (too large for the device), DeviceError.
    std::shared_ptr<const DeviceValues> get(const SceneValuesRef& values, VkCommandBuffer commands,
                                            KeptAlive& kept);

    /// The texture on the device, in place of values: shared::kTextureWidth and what follows it.
    /// Throws as for values.
    std::shared_ptr<const DeviceValues> get(const SceneTextureRef& texture,
                                            VkCommandBuffer commands, KeptAlive& kept);

    void tidy() {
        values_.tidy();
        textures_.tidy();
    }
    void submitted() {
        values_.submitted();
        textures_.submitted();
    }

  private:
    std::shared_ptr<const DeviceValues> describe(Buffer buffer) const;
    std::shared_ptr<const DeviceValues> upload(std::span<const std::byte> data, const char* what,
                                               VkCommandBuffer commands, KeptAlive& kept) const;

    const Device& device_;
    VkDescriptorSetLayout setLayout_;
    std::shared_ptr<const DeviceValues> none_;
    Uploaded<SceneValues, DeviceValues> values_;
    Uploaded<SceneTexture, DeviceValues> textures_;
};

}  // namespace threefold::render
