#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/mesh.h"
#include "engine/model/mesh_stages.h"
#include "engine/model/run_step.h"
#include "engine/model/template_mesh.h"

namespace threefold {

/// Per-vertex values by name; each vector has one value per vertex.
using VertexChannels = std::map<std::string, std::vector<float>, std::less<>>;

/// Per-vertex entropy of the hypotheses' softmax, −Σ p log₂ p, in bits: 0 if one hypothesis has all
/// the weight, log₂ 43 = 5.43 if all are equal.
inline constexpr std::string_view kEntropyChannel = "entropy";

/// A mesh of a reconstruction: the vertices after a step of the network.
struct StageMesh {
    MeshStage stage;
    Points vertices;  ///< in the space of the first chosen view
    /// kEntropyChannel after a hypothesis block, unless the back end discards the scores.
    VertexChannels channels = {};

    /// The channel of that name, or an empty vector.
    const std::vector<float>& channel(std::string_view name) const {
        static const std::vector<float> kNone;
        const auto found = channels.find(name);
        return found == channels.end() ? kNone : found->second;
    }
};

/// Makes stages without vertices: their state before a run.
inline std::vector<StageMesh> stagesWithoutVertices(const std::vector<MeshStage>& stages) {
    std::vector<StageMesh> empty;
    empty.reserve(stages.size());
    for (const MeshStage& stage : stages) empty.push_back({stage, {}});
    return empty;
}

/// Result of one run of the network. Vertices are in the space of the first chosen view.
struct Reconstruction {
    /// Meshes of Model::stages; a mesh that the network has not reached yet has no vertices.
    std::vector<StageMesh> stages;
    std::shared_ptr<const std::vector<Faces>> levelFaces;  ///< faces of each template level
    /// The template: the ellipsoid, and how each level is unpooled from the level below. May be
    /// null.
    std::shared_ptr<const TemplateMesh> templateMesh;
    /// Times of the run steps; empty if they were not measured. Run steps may overlap on a GPU
    /// (`cnn2` runs beside stage 1); their sum then exceeds the total.
    StepTimings timings;
    /// Wall time from views to meshes in main memory: the batch's time divided equally among its
    /// samples. 0: not measured.
    double wallMilliseconds = 0;

    /// The wall time, or the sum of the run steps if the wall time was not measured.
    double milliseconds() const {
        return wallMilliseconds > 0 ? wallMilliseconds : summedBackendMilliseconds(timings);
    }

    /// The mesh of the last stage.
    const StageMesh& result() const { return stages.back(); }
    /// The mesh of the stage of that name; null if there is no such stage.
    const StageMesh* find(std::string_view name) const {
        const auto found = std::ranges::find(
            stages, name,
            [](const StageMesh& mesh) -> std::string_view { return mesh.stage.name; });
        return found == stages.end() ? nullptr : &*found;
    }
    /// The vertices of the stage of that name; empty if there is no such stage.
    const Points& vertices(std::string_view name) const {
        static const Points kNone;
        const StageMesh* const found = find(name);
        return found == nullptr ? kNone : found->vertices;
    }

    /// The meshes of `stages` that are columns of published tables, in unchanged order.
    std::vector<const StageMesh*> published() const {
        std::vector<const StageMesh*> meshes;
        for (const StageMesh& mesh : stages)
            if (mesh.stage.published) meshes.push_back(&mesh);
        return meshes;
    }

    /// The faces of a mesh of `stages`.
    const Faces& faces(const StageMesh& mesh) const { return levelFaces->at(mesh.stage.level); }
};

/// Subtracts `depthOffset` from z of all stages' vertices: converts the network's space to the
/// first camera's space.
inline void subtractDepthOffset(Reconstruction& result, double depthOffset) {
    if (depthOffset == 0) return;
    for (StageMesh& mesh : result.stages)
        for (glm::vec3& point : mesh.vertices) point.z -= static_cast<float>(depthOffset);
}

}  // namespace threefold
