#include "render/value_store.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "resources/shaders/shared.h"

namespace threefold::render {
namespace {

// Infinite values are clamped to the colour range anyway; finite ones interpolate without NaN.
float storedValue(float value) {
    if (std::isnan(value)) return shared::kNoValue;
    return std::clamp(value, -shared::kLargestValue, shared::kLargestValue);
}

}  // namespace

ValueStore::ValueStore(const Device& device, VkDescriptorSetLayout setLayout)
    : device_(device), setLayout_(setLayout) {
    none_ = describe(
        Buffer(device, sizeof(float), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, MemoryUse::upload));
}

std::shared_ptr<const DeviceValues> ValueStore::describe(Buffer buffer) const {
    auto made = std::make_shared<DeviceValues>(DeviceValues{std::move(buffer), {}});
    made->descriptors =
        makeDescriptorSet(device_, setLayout_,
                          {boundBuffer(shared::kValueBinding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                       made->buffer.handle())});
    return made;
}

std::shared_ptr<const DeviceValues> ValueStore::get(const SceneValuesRef& values,
                                                    VkCommandBuffer commands, KeptAlive& kept) {
    if (!values) return none_;
    if (auto known = values_.find(values)) {
        kept.push_back(known);
        return known;
    }
    std::vector<float> stored(values->size());
    std::transform(values->begin(), values->end(), stored.begin(), storedValue);
    StagedBuffer staged = stage(device_, std::as_bytes(std::span(stored)), "values");
    record(staged, commands, kept);
    auto made = describe(std::move(staged.buffer));
    kept.push_back(made);
    values_.add(values, made);
    return made;
}

}  // namespace threefold::render
