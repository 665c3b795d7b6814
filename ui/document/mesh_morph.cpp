#include "ui/document/mesh_morph.h"

#include <cmath>

#include <glm/common.hpp>

#include "ui/document/quantity_cache.h"
#include "ui/document/result.h"

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

float firstMorphPosition(const Result& result) {
    return result.morph.stages[0] ? kMorphTemplate : kMorphCoarse;
}

float lastMorphPosition(const Result& result) {
    return result.fitted ? kMorphFitted : kMorphRefined;
}

bool fittedApart(const Result& result) {
    return result.fitted && !result.morph.unpooledStart[kRefinedStage];
}

MorphPlace morphPlace(const Result& result, float position) {
    const float first = firstMorphPosition(result);
    const float last = lastMorphPosition(result);
    // Written so that NaN ends at the result.
    const float inside = position < last ? std::max(position, first) : last;
    auto from = static_cast<std::size_t>(inside);
    float share = inside - static_cast<float>(from);
    if (from == kRefinedStage && fittedApart(result)) share = std::round(share);
    // Close enough to the stage: a slider's rounding must not cost it its own faces.
    constexpr float kNear = 1e-3F;
    if (share > 1 - kNear) {
        ++from;
        share = 0;
    }
    if (share < kNear) share = 0;
    return {from, share};
}

SceneMeshRef morphedMesh(const Result& result, float position) {
    const MorphPlace place = morphPlace(result, position);
    if (place.share == 0) return result.morph.stages[place.from];
    const SceneMeshRef& start = result.morph.unpooledStart[place.from];
    const SceneMeshRef& end = result.morph.stages[place.from + 1];
    if (!start || !end || start->vertices.size() != end->vertices.size())
        return result.morph.stages[kCoarseStage];
    const auto make = [&]() -> SceneMeshRef {
        auto mesh = std::make_shared<SceneMesh>();
        mesh->vertices.resize(end->vertices.size());
        for (std::size_t i = 0; i < mesh->vertices.size(); ++i)
            mesh->vertices[i] = glm::mix(start->vertices[i], end->vertices[i], place.share);
        mesh->faces = end->faces;
        return mesh;
    };
    return result.quantities ? result.quantities->meshBetween(place, make) : make();
}

}  // namespace threefold::ui
