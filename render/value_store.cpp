#include "render/value_store.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include <glm/common.hpp>
#include <glm/vec2.hpp>

#include "render/staging.h"
#include "resources/shaders/shared.h"

namespace threefold::render {
namespace {

// Clamps values to finite ones, which interpolate without NaN. Colours do not change, because the
// colour range clamps values, too.
float storedValue(float value) {
    if (std::isnan(value)) return shared::kNoValue;
    return std::clamp(value, -shared::kMaxValue, shared::kMaxValue);
}

std::vector<std::uint32_t> packTexture(const SceneTexture& texture) {
    const std::size_t firstPixel = shared::kTextureCorners + 2 * texture.texCoords.size();
    std::vector<std::uint32_t> words(firstPixel + texture.pixels.size() / 4);
    words[shared::kTextureWidth] = static_cast<std::uint32_t>(texture.width);
    words[shared::kTextureHeight] = static_cast<std::uint32_t>(texture.height);
    words[shared::kTexturePixels] = static_cast<std::uint32_t>(firstPixel);
    std::uint32_t* word = &words[shared::kTextureCorners];
    for (std::size_t face = 0; face + 2 < texture.texCoords.size(); face += 3) {
        const auto corners = std::span(texture.texCoords).subspan(face, 3);
        const bool plain = std::ranges::any_of(corners, [](glm::vec2 corner) {
            return !std::isfinite(corner.x) || !std::isfinite(corner.y);
        });
        for (const glm::vec2 corner : corners) {
            const glm::vec2 stored = plain ? glm::vec2(-1.0F) : glm::clamp(corner, 0.0F, 1.0F);
            *word++ = std::bit_cast<std::uint32_t>(stored.x);
            *word++ = std::bit_cast<std::uint32_t>(stored.y);
        }
    }
    std::memcpy(words.data() + firstPixel, texture.pixels.data(), texture.pixels.size() / 4 * 4);
    return words;
}

}  // namespace

ValueStore::ValueStore(const Device& device, VkDescriptorSetLayout setLayout)
    : device_(device), setLayout_(setLayout) {
    none_ = withDescriptors(
        Buffer(device, sizeof(float), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, MemoryUse::upload));
}

std::shared_ptr<const DeviceValues> ValueStore::withDescriptors(Buffer buffer) const {
    auto result = std::make_shared<DeviceValues>(DeviceValues{std::move(buffer), {}});
    result->descriptors =
        makeDescriptorSet(device_, setLayout_,
                          {bufferBinding(shared::kValueBinding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                         result->buffer.handle())});
    return result;
}

std::shared_ptr<const DeviceValues> ValueStore::get(const SceneValuesRef& values,
                                                    VkCommandBuffer commands,
                                                    FrameResources& resources) {
    if (!values) return none_;
    if (auto existing = uploaded_.find(values, resources)) return existing;
    std::vector<float> stored(values->size());
    std::transform(values->begin(), values->end(), stored.begin(), storedValue);
    return upload(values, std::as_bytes(std::span(stored)), "values", commands, resources);
}

std::shared_ptr<const DeviceValues> ValueStore::get(const SceneTextureRef& texture,
                                                    VkCommandBuffer commands,
                                                    FrameResources& resources) {
    if (auto existing = uploaded_.find(texture, resources)) return existing;
    const std::vector<std::uint32_t> words = packTexture(*texture);
    return upload(texture, std::as_bytes(std::span(words)), "texture", commands, resources);
}

std::shared_ptr<const DeviceValues> ValueStore::upload(const std::shared_ptr<const void>& source,
                                                       std::span<const std::byte> data,
                                                       const char* name, VkCommandBuffer commands,
                                                       FrameResources& resources) {
    StagedBuffer staged = stageBuffer(device_, data, name);
    recordCopy(staged, commands, resources);
    auto result = withDescriptors(std::move(staged.buffer));
    resources.push_back(result);
    uploaded_.add(source, result);
    return result;
}

}  // namespace threefold::render
