#include "render/mesh_store.h"

#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "render/mesh_geometry.h"
#include "resources/shaders/shared.h"

namespace threefold::render {

MeshStore::MeshStore(const Device& device, VkDescriptorSetLayout setLayout,
                     const Buffer& colourTable)
    : device_(device), setLayout_(setLayout), colourTable_(colourTable) {}

std::shared_ptr<const DeviceMesh> MeshStore::get(const SceneMeshRef& mesh, VkCommandBuffer commands,
                                                 KeptAlive& kept) {
    if (auto known = meshes_.find(mesh)) {
        kept.push_back(known);
        return known;
    }
    const MeshGeometry geometry = makeGeometry(*mesh);
    if (geometry.vertices.empty()) return nullptr;
    // A buffer cannot be empty: a mesh without faces gets one index that nothing draws.
    static constexpr std::array<std::uint32_t, 1> kNoIndices{};
    const std::span<const std::uint32_t> indices = geometry.indices.empty()
                                                       ? std::span<const std::uint32_t>(kNoIndices)
                                                       : std::span(geometry.indices);

    auto made = std::make_shared<DeviceMesh>(
        DeviceMesh{.vertices = upload(device_, std::as_bytes(std::span(geometry.vertices)),
                                      "vertices", commands, kept),
                   .indices = upload(device_, std::as_bytes(indices), "faces", commands, kept),
                   .descriptors = {},
                   .vertexCount = static_cast<std::uint32_t>(geometry.vertices.size()),
                   .indexCount = static_cast<std::uint32_t>(geometry.indices.size()),
                   .centre = geometry.centre,
                   .radius = geometry.radius});
    const std::array bounds{BoundBuffer{shared::kColourTableBinding,
                                        VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, colourTable_.handle()},
                            BoundBuffer{shared::kVertexBinding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        made->vertices.handle()},
                            BoundBuffer{shared::kIndexBinding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        made->indices.handle()}};
    made->descriptors = makeDescriptorSet(device_, setLayout_, bounds);
    kept.push_back(made);
    meshes_.add(mesh, made);
    return made;
}

}  // namespace threefold::render
