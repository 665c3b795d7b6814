#include "ui/results/mesh_morph.h"

#include <utility>

namespace threefold::ui {
namespace {

using render::SceneMesh;
using render::SceneMeshRef;

// Whether the levels of the template are those of the reconstruction.
bool hasLevels(const Reconstruction& r) {
    if (!r.templateMesh || !r.levelFaces || r.levelFaces->size() != 3) return false;
    const std::vector<TemplateLevel>& levels = r.templateMesh->levels;
    return levels.size() == 3 && r.level1.size() == levels[0].vertexCount &&
           r.level2.size() == levels[1].vertexCount && r.coarse.size() == levels[2].vertexCount &&
           r.templateMesh->coordinates.size() == r.level1.size();
}

SceneMeshRef unpooled(const SceneMeshRef& from, const std::vector<glm::u32vec2>& edges,
                      const SceneMeshRef& to) {
    if (!from || !to) return nullptr;
    if (edges.empty()) return from->faces == to->faces ? from : nullptr;
    auto mesh = std::make_shared<SceneMesh>();
    mesh->vertices = from->vertices;
    for (const glm::u32vec2 edge : edges)
        mesh->vertices.push_back((from->vertices[edge.x] + from->vertices[edge.y]) * 0.5F);
    mesh->faces = to->faces;
    return mesh;
}

}  // namespace

SceneMeshRef inWorld(const Points& points, const Faces& faces, const Camera& camera) {
    if (points.empty()) return nullptr;
    auto mesh = std::make_shared<SceneMesh>();
    mesh->vertices.reserve(points.size());
    for (const glm::vec3& point : points)
        mesh->vertices.emplace_back(camera.toWorld(glm::dvec3(point)));
    mesh->faces = faces;
    return mesh;
}

MeshMorph makeMeshMorph(const Reconstruction& r, const Camera& camera) {
    MeshMorph morph;
    if (hasLevels(r)) {
        morph.stages[0] = inWorld(r.templateMesh->coordinates, r.levelFaces->at(0), camera);
        morph.stages[1] = inWorld(r.level1, r.levelFaces->at(0), camera);
        morph.stages[2] = inWorld(r.level2, r.levelFaces->at(1), camera);
        morph.edges[1] = r.templateMesh->levels[0].unpoolEdges;
        morph.edges[2] = r.templateMesh->levels[1].unpoolEdges;
    }
    morph.stages[3] = inWorld(r.coarse, r.faces(), camera);
    morph.stages[4] = inWorld(r.refined1, r.faces(), camera);
    morph.stages[5] = inWorld(r.refined, r.faces(), camera);
    morph.stages[6] = inWorld(r.fitted, r.facesOfFitted(), camera);
    for (std::size_t i = 0; i < morph.unpooledStart.size(); ++i)
        morph.unpooledStart[i] = unpooled(morph.stages[i], morph.edges[i], morph.stages[i + 1]);
    return morph;
}

MeshMorph withFitted(MeshMorph morph, SceneMeshRef fitted) {
    morph.unpooledStart[kRefinedStage] = unpooled(morph.stages[kRefinedStage], {}, fitted);
    morph.stages[kRefinedStage + 1] = std::move(fitted);
    return morph;
}

}  // namespace threefold::ui
