#include "render/uploads.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include <glm/common.hpp>
#include <glm/vec2.hpp>

#include "resources/shaders/shared.h"

namespace threefold::render {
namespace {

// Infinite values are clamped to the colour range anyway; finite ones interpolate without NaN.
float storedValue(float value) {
    if (std::isnan(value)) return shared::kNoValue;
    return std::clamp(value, -shared::kLargestValue, shared::kLargestValue);
}

std::vector<std::uint32_t> wordsOf(const SceneTexture& texture) {
    const std::size_t pixels = shared::kTextureCorners + 2 * texture.corners.size();
    std::vector<std::uint32_t> words(pixels + texture.pixels.size() / 4);
    words[shared::kTextureWidth] = static_cast<std::uint32_t>(texture.width);
    words[shared::kTextureHeight] = static_cast<std::uint32_t>(texture.height);
    words[shared::kTexturePixels] = static_cast<std::uint32_t>(pixels);
    std::uint32_t* word = &words[shared::kTextureCorners];
    for (std::size_t face = 0; face + 2 < texture.corners.size(); face += 3) {
        bool plain = false;
        for (std::size_t i = face; i < face + 3; ++i) {
            const glm::vec2 corner = texture.corners[i];
            plain = plain || !std::isfinite(corner.x) || !std::isfinite(corner.y);
        }
        for (std::size_t i = face; i < face + 3; ++i) {
            const glm::vec2 inside = glm::clamp(texture.corners[i], 0.0F, 1.0F);
            const glm::vec2 stored = plain ? glm::vec2(-1.0F) : inside;
            *word++ = std::bit_cast<std::uint32_t>(stored.x);
            *word++ = std::bit_cast<std::uint32_t>(stored.y);
        }
    }
    std::memcpy(words.data() + pixels, texture.pixels.data(), texture.pixels.size() / 4 * 4);
    return words;
}

}  // namespace

MeshStore::MeshStore(const Device& device, VkDescriptorSetLayout setLayout,
                     const Buffer& colourTable)
    : device_(device), setLayout_(setLayout), colourTable_(colourTable), preparation_(device) {}

bool MeshStore::ready(const SceneMeshRef& mesh, const std::function<void()>& then) {
    return meshes_.contains(mesh) || preparation_.ready(mesh, then);
}

std::shared_ptr<const DeviceMesh> MeshStore::get(const SceneMeshRef& mesh, VkCommandBuffer commands,
                                                 KeptAlive& kept) {
    if (auto known = meshes_.find(mesh, kept)) return known;
    std::optional<DeviceMesh> staged = preparation_.release(mesh);
    if (!staged) return nullptr;
    auto made = std::make_shared<DeviceMesh>(std::move(*staged));
    const bool complete = !made->vertices.source && !made->indices.source;
    record(made->vertices, commands, kept);
    record(made->indices, commands, kept);
    made->descriptors =
        makeDescriptorSet(device_, setLayout_,
                          {boundBuffer(shared::kColourTableBinding,
                                       VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, colourTable_.handle()),
                           boundBuffer(shared::kVertexBinding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                       made->vertices.buffer.handle()),
                           boundBuffer(shared::kIndexBinding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                       made->indices.buffer.handle())});
    kept.push_back(made);
    meshes_.add(mesh, made, complete);
    return made;
}

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
    if (auto known = values_.find(values, kept)) return known;
    std::vector<float> stored(values->size());
    std::transform(values->begin(), values->end(), stored.begin(), storedValue);
    auto made = upload(std::as_bytes(std::span(stored)), "values", commands, kept);
    values_.add(values, made);
    return made;
}

std::shared_ptr<const DeviceValues> ValueStore::get(const SceneTextureRef& texture,
                                                    VkCommandBuffer commands, KeptAlive& kept) {
    if (auto known = textures_.find(texture, kept)) return known;
    const std::vector<std::uint32_t> words = wordsOf(*texture);
    auto made = upload(std::as_bytes(std::span(words)), "texture", commands, kept);
    textures_.add(texture, made);
    return made;
}

std::shared_ptr<const DeviceValues> ValueStore::upload(std::span<const std::byte> data,
                                                       const char* what, VkCommandBuffer commands,
                                                       KeptAlive& kept) const {
    StagedBuffer staged = stage(device_, data, what);
    record(staged, commands, kept);
    auto made = describe(std::move(staged.buffer));
    kept.push_back(made);
    return made;
}

}  // namespace threefold::render
