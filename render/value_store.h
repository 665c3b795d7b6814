#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "render/memory.h"
#include "render/pipeline.h"
#include "render/scene.h"
#include "render/upload_cache.h"

namespace threefold::render {

/// Values, or a texture, on the device, with the descriptors of shared::kValueSet.
struct DeviceValues {
    Buffer buffer;
    DescriptorSet descriptors;
};

/// Uploads each set of values and each texture once, and frees them as MeshStore frees meshes.
class ValueStore {
  public:
    /// `setLayout`: layout of shared::kValueSet. Both arguments must outlive the store. Throws
    /// DeviceError.
    ValueStore(const Device& device, VkDescriptorSetLayout setLayout);

    /// Returns the values, which must not be empty, on the device; null gives a placeholder that no
    /// shader reads. Throws InputError (values too large for the device), DeviceError.
    std::shared_ptr<const DeviceValues> get(const SceneValuesRef& values, VkCommandBuffer commands,
                                            FrameResources& resources);

    /// Returns the texture on the device, packed in place of values: see shared::kTextureWidth and
    /// the constants after it. Throws as for values.
    std::shared_ptr<const DeviceValues> get(const SceneTextureRef& texture,
                                            VkCommandBuffer commands, FrameResources& resources);

    /// Forgets values and textures that are no longer in use or whose upload was never submitted.
    void removeUnused() { uploaded_.removeUnused(); }
    /// Notes that the commands given to `get` were submitted.
    void markSubmitted() { uploaded_.markSubmitted(); }

  private:
    std::shared_ptr<const DeviceValues> withDescriptors(Buffer buffer) const;
    std::shared_ptr<const DeviceValues> upload(const std::shared_ptr<const void>& source,
                                               std::span<const std::byte> data, const char* name,
                                               VkCommandBuffer commands, FrameResources& resources);

    const Device& device_;
    VkDescriptorSetLayout setLayout_;
    std::shared_ptr<const DeviceValues> none_;
    UploadCache<DeviceValues> uploaded_;
};

}  // namespace threefold::render
