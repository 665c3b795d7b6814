#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include <vulkan/vulkan.h>

#include "render/descriptors.h"
#include "render/memory.h"
#include "render/scene.h"
#include "render/upload.h"
#include "render/uploaded.h"

namespace threefold::render {

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
