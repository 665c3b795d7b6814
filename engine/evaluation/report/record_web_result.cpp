#include "engine/evaluation/report/record_web_result.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/evaluation/list/evaluation_list.h"
#include "engine/evaluation/run/evaluation_run.h"
#include "engine/evaluation/run/mesh_result_files.h"
#include "engine/evaluation/run/run_display.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/folders.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_origin.h"
#include "engine/measures/truth_distances.h"
#include "engine/sample/data_set.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample/sample_views.h"
#include "engine/sample/view_candidates.h"
#include "engine/sample_steps/evaluate.h"
#include "engine/sample_steps/fit_request.h"
#include "engine/web_page/sample_result.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxTruthPoints = 20'000;  // maximum number of points of the truth in a page

/// Images, cameras and truth that a line of a list names. All may be missing.
struct ListedSources {
    std::vector<WebPhoto> photographs;
    GroundTruth truth;  ///< in the space of the first view
    Camera camera;      ///< camera of the first view
    std::vector<int> views;
    /// Views that the fitted mesh is fitted to, as far as the record tells; empty: none.
    std::vector<int> fitted;
};

/// The views that the run asked its fit to use; empty without a fit.
std::vector<int> requestedViews(const EvaluationRun& run, const Sample& sample,
                                const std::vector<int>& views) {
    if (!run.description.identity.fit) return {};
    const auto request = resolveFit(sample, fitRequestFromName(*run.description.identity.fit));
    return request ? viewsToFit(sample, views, request->views) : std::vector<int>();
}

ListedSources sourcesOf(const EvaluationRun& run, const SampleRecord& record,
                        const fs::path& imageRoot) {
    ListedSources sources;
    const bool namesFittedViews = record.fit && record.fit->usedViews;
    if (namesFittedViews) sources.fitted = record.fit->fittedViews();
    try {
        Sample sample = sampleOfRecord(run.description, record, imageRoot);
        std::vector<int> views;
        for (const ViewSilhouetteScores& each : record.silhouettes) views.push_back(each.view);
        if (views.empty()) views = defaultViews(sample);
        const auto cameraOf = [&](int view) {
            return Camera::fromRow(sample.cameraRows[viewIndex(sample, view)]);
        };
        sources.camera = cameraOf(views.front());
        for (const int view : views)
            sources.photographs.push_back({fmt::format("view {}", view),
                                           readNetworkImage(sample, view), cameraOf(view), true});
        sources.views = views;
        if (!namesFittedViews) sources.fitted = requestedViews(run, sample, views);
        if (!record.truth.empty()) setTruth(sample, record.truth);
        if (sample.truth) sources.truth = loadGroundTruth(sample, views.front());
    } catch (const Error&) {
        // The images may belong to another sample of that name. The page then shows the
        // sources that were read before the error.
    }
    return sources;
}

/// Scores of a mesh under the surface protocol; nullopt for a mesh without faces or area.
std::optional<Scores> surfaceScores(const PreparedTruth& truth, const Mesh& mesh) {
    if (mesh.faces.empty()) return std::nullopt;
    try {
        return truth.score({mesh.vertices, mesh.faces, {}});
    } catch (const InputError&) {
        return std::nullopt;
    }
}

std::optional<Mesh> readMeshIfPresent(const fs::path& file) {
    if (!isFile(file)) return std::nullopt;
    try {
        LoadedMesh mesh = readMesh(file);
        moveOrigin(mesh, glm::dvec3(0.0));
        return Mesh{std::move(mesh.vertices), std::move(mesh.faces)};
    } catch (const Error&) {
        // The file was damaged after the run: the report shows the measures without the mesh.
        return std::nullopt;
    }
}

/// The truth for measures under the surface protocol. nullopt if the run has these measures
/// already, or has reduced its truths: measures of the whole truth would not be comparable.
std::optional<PreparedTruth> surfaceTruthOf(const GroundTruth& truth, const RunIdentity& identity) {
    const std::vector<Protocol>& protocols = identity.measures.protocols;
    if (truth.points.empty() || identity.truthPoints || protocols.empty() ||
        protocols.front() == Protocol::surface)
        return std::nullopt;
    return PreparedTruth(scoredShapeOf(truth),
                         ScoreOptions{.protocol = Protocol::surface, .tau = identity.measures.tau});
}

/// Adds the meshes with their numbers and their distances to the truth.
void addMeshes(WebResult& result, std::vector<SampleMesh> meshes, const ListedSources& sources,
               const RunIdentity& identity) {
    const std::optional<TruthDistances> distances =
        sources.truth.points.empty() ? std::nullopt : std::optional<TruthDistances>(sources.truth);
    const std::optional<PreparedTruth> truth = surfaceTruthOf(sources.truth, identity);
    for (SampleMesh& each : meshes) {
        const auto surface = truth ? surfaceScores(*truth, each.mesh) : std::nullopt;
        WebMesh& mesh = result.meshes.emplace_back();
        mesh.name = std::move(each.name);
        mesh.mesh = {worldPoints(each.mesh.vertices, sources.camera), std::move(each.mesh.faces)};
        mesh.numbers = webNumbers({.truthScores = each.scores,
                                   .surfaceScores = surface ? &*surface : nullptr,
                                   .silhouettes = each.silhouettes ? &*each.silhouettes : nullptr});
        if (distances) mesh.values = distances->distancesOf(each.mesh.vertices);
    }
}

/// Adds the truth's points, with their distances to the last mesh.
void addTruth(WebResult& result, GroundTruth truth, const Camera& camera, double tau) {
    downsampleRandomly(truth, kMaxTruthPoints);
    result.meshes.push_back(webTruth(truth, camera, &result.meshes.back(), tau));
}

/// The note above the numbers: the category's name, then webNote().
std::string noteOf(const SampleRecord& record, const ListedSources& sources,
                   std::optional<double> tau) {
    const std::string note = webNote(
        {.input = sources.views, .fitted = sources.fitted, .silhouettes = record.silhouettes}, tau);
    const std::string category(categoryName(record.category));
    if (category.empty() || category == record.category) return note;
    return note.empty() ? category : category + " · " + note;
}

/// Name of the stage that is the network's result, from the record's measures.
std::string resultNameOf(const SampleRecord& record) {
    for (const SampleScores& scores : record.scores)
        if (!scores.empty()) return scores.resultName();
    for (const ViewSilhouetteScores& view : record.silhouettes)
        if (!view.meshes.empty()) return view.meshes.resultName();
    return std::string(kPublishedStageNames.back());
}

}  // namespace

Sample sampleOfRecord(const RunDescription& description, const SampleRecord& record,
                      const fs::path& imageRoot) {
    const fs::path list = description.list;
    const fs::path beside = isFolder(list) ? list : list.parent_path();
    return findSample({.location = listedLocation(record.listedName, beside),
                       .imageRoot = imageRoot.empty() ? beside : imageRoot});
}

std::optional<WebResult> webResultOfRecord(const EvaluationRun& run, const SampleRecord& record,
                                           std::vector<SampleMesh> meshes,
                                           const fs::path& imageRoot) {
    std::erase_if(meshes, [](const SampleMesh& each) { return each.mesh.vertices.empty(); });
    if (meshes.empty()) return std::nullopt;
    const RunIdentity& identity = run.description.identity;
    ListedSources sources = sourcesOf(run, record, imageRoot);
    WebResult result{.name = displayName(record), .photographs = std::move(sources.photographs)};
    addMeshes(result, std::move(meshes), sources, identity);
    const auto fitted = std::ranges::find(result.meshes, kFittedMesh, &WebMesh::name);
    if (fitted == result.meshes.end()) sources.fitted.clear();
    if (!sources.fitted.empty()) fitted->caption = fitCaption(sources.fitted.size());
    const bool hasTruth = !sources.truth.points.empty();
    result.note =
        noteOf(record, sources, hasTruth ? std::optional(identity.measures.tau) : std::nullopt);
    if (hasTruth) addTruth(result, std::move(sources.truth), sources.camera, identity.measures.tau);
    return result;
}

std::vector<SampleMesh> writtenMeshes(const fs::path& folder, const EvaluationRun& run,
                                      const SampleRecord& record) {
    std::vector<SampleMesh> meshes;
    if (record.name.empty() || record.name.find('/') != std::string::npos) return meshes;
    const SampleScores* const scores =
        run.description.identity.measures.protocols.empty()
            ? nullptr
            : record.scoresUnder(run.description.identity.measures.protocols.front());
    // The record's measures belong to the meshes that the run wrote, so other files are left out.
    const std::vector<fs::path> others =
        record.meshes ? changedMeshFilesOf(folder, record) : std::vector<fs::path>();
    const auto add = [&](std::string name, const char* suffix, const Scores* own) {
        const fs::path file = folder / (record.name + suffix + ".obj");
        if (std::ranges::find(others, file) != others.end()) return;
        std::optional<Mesh> mesh = readMeshIfPresent(file);
        if (!mesh) return;
        const auto silhouettes = meansOf(record.silhouettes, name);
        meshes.push_back({std::move(name), std::move(*mesh), own, silhouettes});
    };
    add(resultNameOf(record), kPredictionSuffix, scores != nullptr ? &scores->result() : nullptr);
    add(std::string(kFittedMesh), kFittedSuffix, scores != nullptr ? scores->fitted() : nullptr);
    return meshes;
}

}  // namespace threefold
