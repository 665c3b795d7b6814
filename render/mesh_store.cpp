#include "render/mesh_store.h"

#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "render/mesh_geometry.h"
#include "render/vulkan_check.h"
#include "resources/shaders/shared.h"

namespace threefold::render {
namespace {

Buffer deviceCopy(const Device& device, std::span<const std::byte> data, VkCommandBuffer commands,
                  KeptAlive& kept) {
    auto staging = std::make_shared<const Buffer>(stagingBuffer(device, data));
    Buffer buffer(device, data.size(),
                  VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
                      VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                  MemoryUse::device);
    const VkBufferCopy region{.size = data.size()};
    vkCmdCopyBuffer(commands, staging->handle(), buffer.handle(), 1, &region);
    kept.push_back(std::move(staging));
    return buffer;
}

void waitForCopies(VkCommandBuffer commands) {
    const VkMemoryBarrier barrier{
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_INDEX_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_VERTEX_SHADER_BIT,
                         0, 1, &barrier, 0, nullptr, 0, nullptr);
}

void checkSize(const Device& device, std::size_t bytes) {
    VkPhysicalDeviceProperties properties{};
    vkGetPhysicalDeviceProperties(device.physical(), &properties);
    if (bytes <= properties.limits.maxStorageBufferRange) return;
    throw InputError(
        {"mesh", "",
         fmt::format("{} bytes, but {} accepts at most {} in one buffer", bytes,
                     device.description().name, properties.limits.maxStorageBufferRange),
         "Show a mesh with fewer vertices and faces."});
}

}  // namespace

MeshStore::MeshStore(const Device& device, VkDescriptorSetLayout setLayout,
                     const Buffer& colourTable)
    : device_(device), setLayout_(setLayout), colourTable_(colourTable) {}

std::shared_ptr<const DeviceMesh> MeshStore::get(const SceneMeshRef& mesh,
                                                 const SceneValuesRef& values,
                                                 VkCommandBuffer commands, KeptAlive& kept) {
    const auto known = entries_.find(Key(mesh, values));
    if (known != entries_.end()) {
        kept.push_back(known->second.mesh);
        return known->second.mesh;
    }
    const MeshGeometry geometry =
        makeGeometry(*mesh, values ? std::span<const float>(*values) : std::span<const float>());
    if (geometry.vertices.empty()) return nullptr;
    std::shared_ptr<const DeviceMesh> uploaded = upload(geometry, commands, kept);
    kept.push_back(uploaded);
    entries_.emplace(Key(mesh, values), Entry{uploaded, false});
    return uploaded;
}

std::shared_ptr<const DeviceMesh> MeshStore::upload(const MeshGeometry& geometry,
                                                    VkCommandBuffer commands,
                                                    KeptAlive& kept) const {
    const auto vertexBytes = std::as_bytes(std::span(geometry.vertices));
    // A buffer cannot be empty: a mesh without faces gets one index that nothing draws.
    static constexpr std::array<std::uint32_t, 1> kNoIndices{};
    const std::span<const std::uint32_t> indices = geometry.indices.empty()
                                                       ? std::span<const std::uint32_t>(kNoIndices)
                                                       : std::span(geometry.indices);
    const auto indexBytes = std::as_bytes(indices);
    checkSize(device_, vertexBytes.size());
    checkSize(device_, indexBytes.size());

    auto mesh = std::make_shared<DeviceMesh>(
        DeviceMesh{.vertices = deviceCopy(device_, vertexBytes, commands, kept),
                   .indices = deviceCopy(device_, indexBytes, commands, kept),
                   .vertexCount = static_cast<std::uint32_t>(geometry.vertices.size()),
                   .indexCount = static_cast<std::uint32_t>(geometry.indices.size()),
                   .centre = geometry.centre,
                   .radius = geometry.radius});
    waitForCopies(commands);
    describe(*mesh);
    return mesh;
}

void MeshStore::describe(DeviceMesh& mesh) const {
    const std::array sizes{VkDescriptorPoolSize{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1},
                           VkDescriptorPoolSize{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2}};
    const VkDescriptorPoolCreateInfo poolInfo{
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = static_cast<std::uint32_t>(sizes.size()),
        .pPoolSizes = sizes.data()};
    VkDescriptorPool pool = VK_NULL_HANDLE;
    VK_CHECK(vkCreateDescriptorPool(device_.handle(), &poolInfo, nullptr, &pool));
    mesh.pool = {device_.handle(), pool};

    const VkDescriptorSetAllocateInfo allocation{
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &setLayout_};
    VK_CHECK(vkAllocateDescriptorSets(device_.handle(), &allocation, &mesh.set));

    struct Bound {
        std::uint32_t binding;
        VkDescriptorType type;
        VkDescriptorBufferInfo buffer;
    };
    const std::array bounds{Bound{shared::kColourTableBinding,
                                  VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                  {colourTable_.handle(), 0, VK_WHOLE_SIZE}},
                            Bound{shared::kVertexBinding,
                                  VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  {mesh.vertices.handle(), 0, VK_WHOLE_SIZE}},
                            Bound{shared::kIndexBinding,
                                  VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  {mesh.indices.handle(), 0, VK_WHOLE_SIZE}}};
    std::vector<VkWriteDescriptorSet> writes;
    writes.reserve(bounds.size());
    for (const Bound& bound : bounds) {
        writes.push_back({.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                          .dstSet = mesh.set,
                          .dstBinding = bound.binding,
                          .descriptorCount = 1,
                          .descriptorType = bound.type,
                          .pBufferInfo = &bound.buffer});
    }
    vkUpdateDescriptorSets(device_.handle(), static_cast<std::uint32_t>(writes.size()),
                           writes.data(), 0, nullptr);
}

void MeshStore::tidy() {
    std::erase_if(entries_, [](const auto& entry) {
        const Key& key = entry.first;
        const bool hadValues = key.second.owner_before(std::weak_ptr<const SceneValues>()) ||
                               std::weak_ptr<const SceneValues>().owner_before(key.second);
        return key.first.expired() || (hadValues && key.second.expired()) ||
               !entry.second.submitted;
    });
}

void MeshStore::submitted() {
    for (auto& [mesh, entry] : entries_) entry.submitted = true;
}

}  // namespace threefold::render
