#include "render/mesh_store.h"

#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "resources/shaders/shared.h"

namespace threefold::render {

MeshStore::MeshStore(const Device& device, VkDescriptorSetLayout setLayout,
                     const Buffer& colourTable)
    : device_(device), setLayout_(setLayout), colourTable_(colourTable), preparation_(device) {}

bool MeshStore::ready(const SceneMeshRef& mesh, const std::function<void()>& then) {
    return meshes_.find(mesh) != nullptr || preparation_.ready(mesh, then);
}

std::shared_ptr<const DeviceMesh> MeshStore::get(const SceneMeshRef& mesh, VkCommandBuffer commands,
                                                 KeptAlive& kept) {
    if (auto known = meshes_.find(mesh)) {
        kept.push_back(known);
        return known;
    }
    std::optional<StagedMesh> staged = preparation_.take(mesh);
    if (!staged) return nullptr;
    const bool sure = !staged->vertices.source && !staged->indices.source;
    record(staged->vertices, commands, kept);
    record(staged->indices, commands, kept);
    auto made =
        std::make_shared<DeviceMesh>(DeviceMesh{.vertices = std::move(staged->vertices.buffer),
                                                .indices = std::move(staged->indices.buffer),
                                                .descriptors = {},
                                                .vertexCount = staged->vertexCount,
                                                .indexCount = staged->indexCount,
                                                .centre = staged->centre,
                                                .radius = staged->radius});
    const std::array bounds{BoundBuffer{shared::kColourTableBinding,
                                        VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, colourTable_.handle()},
                            BoundBuffer{shared::kVertexBinding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        made->vertices.handle()},
                            BoundBuffer{shared::kIndexBinding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        made->indices.handle()}};
    made->descriptors = makeDescriptorSet(device_, setLayout_, bounds);
    kept.push_back(made);
    meshes_.add(mesh, made, sure);
    return made;
}

}  // namespace threefold::render
