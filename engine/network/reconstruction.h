#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/mesh.h"
#include "engine/model/mesh_stages.h"
#include "engine/model/template_mesh.h"
#include "engine/stage.h"

namespace threefold {

/// Values of each vertex of a mesh, by their name; each as long as the mesh has vertices.
using VertexChannels = std::map<std::string, std::vector<float>, std::less<>>;

/// For each vertex the entropy of its hypotheses' softmax, −Σ p log₂ p, in bits: 0 if one
/// hypothesis has all the weight, log₂ 43 = 5.43 if all are equal.
inline constexpr std::string_view kEntropyChannel = "entropy";

/// One mesh of a reconstruction: the vertices after a step of the network.
struct StageMesh {
    MeshStage stage;
    Points vertices;  ///< in the space of the first chosen view
    /// kEntropyChannel of a hypothesis block's; none where the backend does not keep the scores.
    VertexChannels channels = {};

    /// Empty without a channel of that name.
    const std::vector<float>& channel(std::string_view name) const {
        static const std::vector<float> kNone;
        const auto found = channels.find(name);
        return found == channels.end() ? kNone : found->second;
    }
};

/// The stages of a model before it ran: without vertices.
inline std::vector<StageMesh> emptyStages(const std::vector<MeshStage>& stages) {
    std::vector<StageMesh> empty;
    empty.reserve(stages.size());
    for (const MeshStage& stage : stages) empty.push_back({stage, {}});
    return empty;
}

/// All results of one run of the network. Vertices are in the space of the first chosen view.
struct Reconstruction {
    /// Model::stages, each with its mesh; a mesh that the network has not reached yet has no
    /// vertices.
    std::vector<StageMesh> stages;
    /// The network's result, fitted to photographs (engine/fitting); empty if not requested. No
    /// backend sets it.
    Points fitted;
    Faces fittedFaces;  ///< of `fitted`; empty: those of the network's result
    std::shared_ptr<const std::vector<Faces>> levelFaces;  ///< of the template, one for each level
    /// The template: its ellipsoid, and how each level's vertices follow from the level below. May
    /// be null.
    std::shared_ptr<const TemplateMesh> templateMesh;
    /// Empty where stages were not timed. On a GPU stages may overlap (`cnn2` runs beside stage 1):
    /// their sum is then more than the whole.
    StageTimings timings;
    /// Start time of the first stage; epoch if unset. Set by the caller, which loads the views.
    std::chrono::steady_clock::time_point begun{};
    /// Wall time from views to meshes in main memory; the share of one sample in a batch. 0: not
    /// measured.
    double wallMilliseconds = 0;

    /// The wall time, or the sum of the stages if it was not measured.
    double milliseconds() const {
        return wallMilliseconds > 0 ? wallMilliseconds : networkMilliseconds(timings);
    }

    /// The mesh of the last stage.
    const StageMesh& result() const { return stages.back(); }
    /// Null where there is no stage of that name.
    const StageMesh* find(std::string_view name) const {
        const auto found = std::ranges::find(
            stages, name,
            [](const StageMesh& each) -> std::string_view { return each.stage.name; });
        return found == stages.end() ? nullptr : &*found;
    }
    /// The vertices of the stage of that name; none where there is no such stage.
    const Points& vertices(std::string_view name) const {
        static const Points kNone;
        const StageMesh* const found = find(name);
        return found == nullptr ? kNone : found->vertices;
    }

    /// The meshes of `stages` that are columns of published tables, in their order.
    std::vector<const StageMesh*> published() const {
        std::vector<const StageMesh*> found;
        for (const StageMesh& each : stages)
            if (each.stage.published) found.push_back(&each);
        return found;
    }

    const Faces& faces(const StageMesh& mesh) const { return levelFaces->at(mesh.stage.level); }
    /// The faces of the network's result.
    const Faces& faces() const { return levelFaces->back(); }
    const Faces& facesOfFitted() const { return fittedFaces.empty() ? faces() : fittedFaces; }
};

}  // namespace threefold
