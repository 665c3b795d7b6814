#include "render/mesh_store.h"

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
    std::optional<DeviceMesh> staged = preparation_.take(mesh);
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

}  // namespace threefold::render
