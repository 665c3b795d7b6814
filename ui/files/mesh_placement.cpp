#include "ui/files/mesh_placement.h"

namespace threefold::ui {
namespace {

bool isSamePose(const std::optional<Camera>& a, const std::optional<Camera>& b) {
    if (!a || !b) return a.has_value() == b.has_value();
    return a->rotation == b->rotation && a->centre == b->centre;
}

}  // namespace

bool isSameFrame(const MeshPlacement& a, const MeshPlacement& b) {
    return isSamePose(a.camera, b.camera) && a.posedPhotos == b.posedPhotos;
}

render::SceneMeshRef placedMesh(const LoadedMesh& file, const SurfacePaint& paint,
                                const MeshPlacement& placement, glm::dvec3 origin) {
    auto mesh = std::make_shared<render::SceneMesh>();
    mesh->vertices = file.vertices;
    mesh->faces = file.faces;
    mesh->vertexColours = paint.colours;
    mesh->texture = paint.texture;
    const auto& [camera, posedPhotos, alignment] = placement;
    if (!camera && !posedPhotos && !alignment && file.origin == origin) return mesh;
    for (glm::vec3& vertex : mesh->vertices) {
        const glm::dvec3 position = file.origin + glm::dvec3(vertex);
        vertex = glm::vec3(alignment     ? alignment->transform.apply(glm::dvec3(vertex))
                           : camera      ? camera->toWorld(position)
                           : posedPhotos ? posedPhotos->frame.photosToObjectSpace.apply(position)
                                         : position - origin);
    }
    return mesh;
}

}  // namespace threefold::ui
