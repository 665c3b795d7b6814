#pragma once

#include <memory>

#include <vulkan/vulkan.h>

#include "render/buffer.h"
#include "render/descriptors.h"
#include "render/scene.h"
#include "render/upload.h"
#include "render/uploaded.h"

namespace threefold::render {

/// Values on the device.
struct DeviceValues {
    Buffer buffer;
    DescriptorSet descriptors;
};

/// Uploads each set of values once and releases it as MeshStore does meshes.
class ValueStore {
  public:
    /// `setLayout` is that of shared::kValueSet. Both arguments must outlive the store. Throws
    /// DeviceError.
    ValueStore(const Device& device, VkDescriptorSetLayout setLayout);

    /// The values on the device, not empty; null gives a placeholder that no shader reads.
    /// Throws InputError (too large for the device), DeviceError.
    std::shared_ptr<const DeviceValues> get(const SceneValuesRef& values, VkCommandBuffer commands,
                                            KeptAlive& kept);

    void tidy() { values_.tidy(); }
    void submitted() { values_.submitted(); }

  private:
    std::shared_ptr<const DeviceValues> describe(Buffer buffer) const;

    const Device& device_;
    VkDescriptorSetLayout setLayout_;
    std::shared_ptr<const DeviceValues> none_;
    Uploaded<SceneValues, DeviceValues> values_;
};

}  // namespace threefold::render
