#include "render/mesh_store.h"

#include <optional>
#include <utility>

#include "resources/shaders/shared.h"

namespace threefold::render {

MeshStore::MeshStore(const Device& device, VkDescriptorSetLayout setLayout,
                     const Buffer& colourTable)
    : device_(device), setLayout_(setLayout), colourTable_(colourTable), stager_(device) {}

std::shared_ptr<const DeviceMesh> MeshStore::get(const SceneMeshRef& mesh, VkCommandBuffer commands,
                                                 FrameResources& resources) {
    if (auto existing = meshes_.find(mesh, resources)) return existing;
    std::optional<StagedMesh> staged = stager_.take(mesh);
    if (!staged) return nullptr;
    const bool complete = !staged->vertices.source && !staged->indices.source;
    recordCopy(staged->vertices, commands, resources);
    recordCopy(staged->indices, commands, resources);
    DescriptorSet descriptors =
        makeDescriptorSet(device_, setLayout_,
                          {bufferBinding(shared::kColourTableBinding,
                                         VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, colourTable_.handle()),
                           bufferBinding(shared::kVertexBinding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                         staged->vertices.buffer.handle()),
                           bufferBinding(shared::kIndexBinding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                         staged->indices.buffer.handle())});
    const auto result =
        std::make_shared<const DeviceMesh>(DeviceMesh{std::move(*staged), std::move(descriptors)});
    resources.push_back(result);
    meshes_.add(mesh, result, complete);
    return result;
}

}  // namespace threefold::render
