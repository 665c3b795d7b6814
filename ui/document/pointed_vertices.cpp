#include "ui/document/pointed_vertices.h"

#include "ui/results/morphed_mesh.h"

namespace threefold::ui {

PointedVertices::PointedVertices(const ResultModel& result, const OpenedMeshes& opened,
                                 const LookModel& look)
    : result_(result), look_(look) {
    connect(&result, &ResultModel::replaced, this, &PointedVertices::updateFromResult);
    connect(&opened, &OpenedMeshes::replaced, this, &PointedVertices::clear);
    connect(&look, &LookModel::replaced, this, &PointedVertices::updateFromLook);
}

// Forgets all vertices, which are indices into the previous meshes.
void PointedVertices::clear() {
    setHovered(std::nullopt);
    setMarked(std::nullopt);
    setDistanceEnds({});
}

void PointedVertices::updateFromResult(const ResultRef& before) {
    const ResultRef& result = result_.current();
    const auto networkMesh = [](const ResultRef& other) {
        return other ? other->mesh(MeshId::result) : nullptr;
    };
    const bool sameMeshes = networkMesh(result) && networkMesh(result) == networkMesh(before) &&
                            !hasOwnFittedVertices(*result) && !hasOwnFittedVertices(*before);
    if (!sameMeshes) clear();
}

void PointedVertices::updateFromLook(const Look& before) {
    const ResultRef& result = result_.current();
    const auto showsOwnFittedVertices = [&](const Look& look) {
        return result && hasOwnFittedVertices(*result) &&
               stageBlend(*result, look.shownPosition()).from == result->morph.fittedIndex();
    };
    if (showsOwnFittedVertices(before) != showsOwnFittedVertices(look_.current()))
        clear();  // MeshId::result now has another mesh's vertices
}

}  // namespace threefold::ui
