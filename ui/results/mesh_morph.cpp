#include "ui/results/mesh_morph.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <QCoreApplication>

#include "engine/measures/by_mesh.h"
#include "engine/model/architecture.h"
#include "engine/views/network_input.h"

namespace threefold::ui {
namespace {

using render::SceneMesh;
using render::SceneMeshRef;

// Whether the reconstruction comes with a template whose levels match its stages.
bool hasLevels(const Reconstruction& r) {
    if (!r.templateMesh || !r.levelFaces) return false;
    const std::vector<TemplateLevel>& levels = r.templateMesh->levels;
    if (levels.size() != r.levelFaces->size() || levels.empty() || r.stages.empty()) return false;
    return r.templateMesh->vertices.size() == levels.front().vertexCount &&
           std::ranges::all_of(r.stages, [&](const StageMesh& stage) {
               return stage.stage.level < levels.size() &&
                      (stage.vertices.empty() ||
                       stage.vertices.size() == levels[stage.stage.level].vertexCount);
           });
}

// See MorphStage::unpooledStart.
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

QString capitalised(const QString& text) {
    return text.left(1).toUpper() + text.mid(1);
}

}  // namespace

SceneMeshRef meshInWorld(const Points& points, const Faces& faces, const Camera& camera) {
    if (points.empty()) return nullptr;
    auto mesh = std::make_shared<SceneMesh>();
    mesh->vertices.reserve(points.size());
    for (const glm::vec3& point : points)
        mesh->vertices.emplace_back(camera.toWorld(glm::dvec3(point)));
    mesh->faces = faces;
    return mesh;
}

std::size_t MeshMorph::firstPublishedIndex() const {
    const auto found = std::ranges::find(stages, true, &MorphStage::published);
    return found == stages.end() ? resultIndex() : static_cast<std::size_t>(found - stages.begin());
}

std::optional<std::size_t> MeshMorph::stageIndex(MeshId id) const {
    if (id == MeshId::textured) {
        for (const std::size_t stage : {fittedIndex(), resultIndex()})
            if (stages.at(stage).mesh) return stage;
        return firstPublishedIndex();
    }
    if (id == MeshId::firstPublished) return firstPublishedIndex();
    if (id == MeshId::result) return resultIndex();
    if (id == MeshId::fitted) return fittedIndex();
    return std::nullopt;
}

MeshMorph makeMeshMorph(const FittedReconstruction& r, const Camera& camera) {
    const bool levels = hasLevels(r.network);
    MeshMorph morph;
    MorphStage& start = morph.stages.emplace_back(MorphStage{std::string(kTemplateStage)});
    if (levels) {
        // Moves the template from the network's space to the reference view's camera space, in
        // which the stages are.
        Points points = r.network.templateMesh->vertices;
        for (glm::vec3& point : points) point.z -= static_cast<float>(depthOffsetFor(camera));
        start.mesh = meshInWorld(points, r.network.levelFaces->front(), camera);
    }
    for (const StageMesh& stageMesh : r.network.stages) {
        // Without the template, only stages on the last level have known faces.
        const bool known = levels || stageMesh.stage.level + 1 == r.network.levelFaces->size();
        if (levels && &stageMesh != &r.network.stages.front()) {
            const std::size_t previousLevel = (&stageMesh - 1)->stage.level;
            if (previousLevel != stageMesh.stage.level)
                morph.stages.back().edges =
                    r.network.templateMesh->levels[previousLevel].unpoolEdges;
        }
        morph.stages.push_back(
            {stageMesh.stage.name, stageMesh.stage.published,
             known ? meshInWorld(stageMesh.vertices, r.network.faces(stageMesh), camera)
                   : nullptr});
    }
    morph.stages.push_back(
        {std::string(kFittedMesh), false,
         r.fitted ? meshInWorld(r.fitted->vertices, r.fitted->faces, camera) : nullptr});
    for (std::size_t i = 0; i + 1 < morph.stages.size(); ++i) {
        MorphStage& stage = morph.stages[i];
        stage.unpooledStart = unpooled(stage.mesh, stage.edges, morph.stages[i + 1].mesh);
    }
    return morph;
}

MeshMorph withFitted(MeshMorph morph, SceneMeshRef fitted) {
    MorphStage& result = morph.stages[morph.resultIndex()];
    result.unpooledStart = unpooled(result.mesh, {}, fitted);
    morph.stages.back().mesh = std::move(fitted);
    return morph;
}

const MeshMorph& publishedMorph() {
    static const MeshMorph published = [] {
        MeshMorph morph;
        morph.stages.push_back({std::string(kTemplateStage)});
        for (const MeshStage& stage :
             meshStages(kGraphBlockLayerCounts.size(), kPublishedHypothesisBlocks))
            morph.stages.push_back({stage.name, stage.published});
        morph.stages.push_back({std::string(kFittedMesh)});
        return morph;
    }();
    return published;
}

QString stageLabel(const MorphStage& stage) {
    const std::size_t digits = stage.name.find_last_not_of("0123456789") + 1;
    const QString word =
        QCoreApplication::translate("StageNames", stage.name.substr(0, digits).c_str());
    const QString number = QString::fromStdString(stage.name.substr(digits));
    return number.isEmpty() ? word : word + ' ' + number;
}

QString stageTitle(const MorphStage& stage) {
    return capitalised(stageLabel(stage));
}

QString meshLabel(const MeshMorph& morph, MeshId id) {
    if (id == MeshId::hull) return QCoreApplication::translate("StageNames", "hull");
    if (id == MeshId::truth) return QCoreApplication::translate("StageNames", "truth");
    if (id == MeshId::photograph) return QCoreApplication::translate("StageNames", "photograph");
    const std::optional<std::size_t> stage = morph.stageIndex(id);
    return stage ? stageLabel(morph.stages.at(*stage)) : QString();
}

QString meshTitle(const MeshMorph& morph, MeshId id) {
    return capitalised(meshLabel(morph, id));
}

}  // namespace threefold::ui
