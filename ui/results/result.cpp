#include "ui/results/result.h"

#include <cmath>
#include <optional>

#include <QCoreApplication>
#include <QStringList>

#include "engine/geometry/nearest.h"
#include "ui/results/quantities.h"
#include "ui/style/control_names.h"
#include "ui/style/number_format.h"

namespace threefold::ui {
namespace {

/// The true points that the mesh of a stage does not reach.
UnreachedTruth unreachedBy(const render::SceneMesh& truth, const render::SceneMesh& mesh) {
    const std::vector<bool> near =
        SurfaceIndex(mesh.vertices, mesh.faces).within(truth.vertices, std::sqrt(kTau));
    auto points = std::make_shared<render::SceneMesh>();
    for (std::size_t i = 0; i < near.size(); ++i)
        if (!near[i]) points->vertices.push_back(truth.vertices[i]);
    if (points->vertices.empty()) return {};
    const float red = render::packedColour({0.86F, 0.16F, 0.13F});
    const std::size_t count = points->vertices.size();
    points->vertexColours = std::make_shared<const render::SceneValues>(count, red);
    return {std::move(points), static_cast<double>(count) / static_cast<double>(near.size())};
}

void measureUnreached(Result& result) {
    std::vector<UnreachedTruth>& unreached = result.truth->evaluation->unreached;
    unreached.resize(result.morph.stages.size());
    for (std::size_t stage = 0; stage < unreached.size(); ++stage)
        if (const render::SceneMeshRef& mesh = result.morph.stages[stage].mesh;
            mesh && stage >= result.morph.firstPublishedIndex())
            unreached[stage] = unreachedBy(*result.truth->points, *mesh);
}

void addTruth(Result& result, const GroundTruth& truth) {
    const Camera camera = result.referenceCamera();
    ResultTruth& shown = result.truth.emplace();
    if (!truth.surface.faces.empty())
        shown.surface = meshInWorld(truth.surface.vertices, truth.surface.faces, camera);
    if (shown.surface)
        shown.index =
            std::make_shared<const SurfaceIndex>(shown.surface->vertices, shown.surface->faces);
    auto mesh = std::make_shared<render::SceneMesh>();
    mesh->vertices.reserve(truth.points.size());
    for (const glm::vec3& point : truth.points)
        mesh->vertices.emplace_back(camera.toWorld(glm::dvec3(point)));
    shown.points = std::move(mesh);
}

void addFScoreCurves(Result& result) {
    std::vector<std::vector<FScore>>& fScoreCurves = result.truth->evaluation->fScoreCurves;
    fScoreCurves.resize(result.morph.stages.size());
    for (std::size_t stage = 0; stage < fScoreCurves.size(); ++stage)
        if (const MeshEvaluation* mesh = evaluationOf(result, stage))
            fScoreCurves[stage] = fScoresAt(mesh->toTruth, mesh->fromTruth, fScoreThresholds());
}

// Distances of a stage's vertices: to the truth's surface, or to its points.
std::vector<float> distancesOf(const Result& result, std::size_t stage) {
    const render::SceneMeshRef& mesh = result.morph.stages[stage].mesh;
    if (!mesh) return {};
    const MeshEvaluation* known = evaluationOf(result, stage);
    if (known != nullptr && !result.truth->index) return known->distances;
    return quantityInfo(Quantity::distanceToTruth).ofMesh(*mesh, result.truthShape());
}

// Distances for all stages, also those that are shown but not (yet) evaluated.
void measureStages(Result& result) {
    if (!result.truth) return;
    std::vector<std::vector<float>>& distances = result.truth->stageDistance;
    distances.resize(result.morph.stages.size());
    for (std::size_t stage = 0; stage < distances.size(); ++stage)
        distances[stage] = distancesOf(result, stage);
}

// Adds the visual hull if depth moved it to the fitted mesh.
void addHull(Result& result, const std::optional<HullFit>& surface) {
    if (surface && surface->depthUsed())
        result.hull =
            meshInWorld(surface->hull.vertices, surface->hull.faces, result.referenceCamera());
}

void addMeshesAndMeasures(Result& result) {
    result.morph = makeMeshMorph(result.reconstruction, result.referenceCamera());
    measureStages(result);
    if (result.evaluation() != nullptr) {
        addFScoreCurves(result);
        measureUnreached(result);
    }
    auto points = std::make_shared<Points>(result.mesh(MeshId::first)->vertices);
    if (const render::SceneMeshRef& last = result.mesh(MeshId::result))
        points->insert(points->end(), last->vertices.begin(), last->vertices.end());
    result.framedPoints = std::move(points);
    result.quantities = std::make_shared<QuantityCache>();
}

struct FitTexts {
    Q_DECLARE_TR_FUNCTIONS(FitTexts)
};

// `fit` agrees with at least one photograph.
QString meanOverlap(const FitResult& fit, SilhouetteScore FitAgreement::*mesh) {
    double sum = 0;
    for (const FitAgreement& agreement : fit.agreement) sum += (agreement.*mesh).overlap;
    return fixedText(sum / static_cast<double>(fit.agreement.size()), 3);
}

}  // namespace

const MeshEvaluation* evaluationOf(const Result& result, std::size_t stage) {
    const Evaluation* meshes = result.evaluation();
    return meshes != nullptr ? meshes->find(result.morph.stages.at(stage).name) : nullptr;
}

const render::SceneMeshRef& Result::mesh(MeshId id) const {
    static const render::SceneMeshRef kNone;
    if (id == MeshId::hull) return hull;
    if (id == MeshId::truth) return truth ? truth->points : kNone;
    const std::optional<std::size_t> stage = morph.stageIndex(id);
    return stage ? morph.stages.at(*stage).mesh : kNone;
}

std::vector<double> fScoreThresholds() {
    constexpr int kSteps = 150;
    constexpr double kMaxThreshold = 3 * kTau;
    std::vector<double> thresholds;
    for (int i = 0; i <= kSteps; ++i) thresholds.push_back(kMaxThreshold * i / kSteps);
    return thresholds;
}

ResultRef makeResult(SampleRef sample, std::vector<int> views, Reconstruction reconstruction,
                     ResultOrigin origin) {
    LoadedTruth truth = loadTruth(*sample, views.front());
    LoadedSample loaded{std::move(sample), std::move(views)};
    loaded.truth = std::move(truth.truth);
    loaded.truthProblem = std::move(truth.problem);
    return makeResult(
        measureSample({std::move(loaded), std::move(reconstruction)}, {.silhouettes = false}),
        std::move(origin));
}

ResultRef makeResult(MeasuredSample measured, ResultOrigin origin) {
    auto result = std::make_shared<Result>();
    GroundTruth& truth = measured.loaded.truth;
    result->origin = std::move(origin);
    result->startedAt = measured.loaded.startedAt;
    result->sample = std::move(measured.loaded.sample);
    result->views = std::move(measured.loaded.views);
    result->reconstruction = std::move(measured.reconstruction);
    result->truthProblem = std::move(measured.loaded.truthProblem);
    result->truthNotes = truth.notes;
    if (measured.evaluation) {
        addTruth(*result, truth);
        auto compared = std::make_shared<GroundTruth>();
        compared->points = std::move(truth.points);
        result->truth->evaluation = {.meshes = std::move(*measured.evaluation),
                                     .truth = std::move(compared)};
    }
    addMeshesAndMeasures(*result);
    if (measured.fit) addHull(*result, measured.fit->hull.surface);
    return result;
}

ResultRef makePartialResult(const LoadedSample& loaded, const Reconstruction& soFar) {
    auto result = std::make_shared<Result>();
    result->sample = loaded.sample;
    result->views = loaded.views;
    result->reconstruction = soFar;
    if (!loaded.truth.points.empty()) addTruth(*result, loaded.truth);
    addMeshesAndMeasures(*result);
    return result;
}

ResultRef withFit(const ResultRef& result, FitOutcome outcome) {
    auto fitted = std::make_shared<Result>(*result);
    Points vertices = outcome.fit.vertices;
    // Without a view to agree with, the fit returns its input.
    const bool isFitted = !outcome.problem && !vertices.empty() && !outcome.fit.agreement.empty();
    fitted->fit = {std::move(outcome), result};
    if (!isFitted) return fitted;
    Reconstruction& reconstruction = fitted->reconstruction;
    Faces& faces = fitted->fit->outcome.faces;
    const Mesh& mesh = reconstruction.fitted.emplace(
        Mesh{std::move(vertices), faces.empty() ? reconstruction.faces() : std::move(faces)});
    fitted->morph = withFitted(fitted->morph,
                               meshInWorld(mesh.vertices, mesh.faces, fitted->referenceCamera()));
    fitted->quantities = std::make_shared<QuantityCache>();
    addHull(*fitted, fitted->fit->outcome.surface);
    if (fitted->evaluation() == nullptr) return fitted;
    ResultTruth& truth = *fitted->truth;
    ResultEvaluation& evaluation = *truth.evaluation;
    evaluation.meshes = publishedEvaluation(reconstruction, *evaluation.truth);
    addFScoreCurves(*fitted);
    truth.stageDistance.back() = distancesOf(*fitted, fitted->morph.fittedIndex());
    evaluation.unreached.back() = unreachedBy(*truth.points, *fitted->mesh(MeshId::fitted));
    quantityValues(*fitted, MeshId::hull, Quantity::distanceToTruth);  // kept in the cache
    return fitted;
}

QString fitSummary(const FitOutcome& outcome) {
    const FitResult& fit = outcome.fit;
    QStringList texts;
    if (!outcome.problem && fit.lacksMasks && fit.notes.size() == 1)
        return FitTexts::tr("Not fitted: no photograph is cut out yet");
    if (outcome.problem) {
        texts << FitTexts::tr("Not fitted, the network's mesh is kept: %1")
                     .arg(QString::fromStdString(outcome.problem->problem));
    } else if (fit.agreement.empty()) {
        texts << FitTexts::tr("Not fitted, the network's mesh is kept");
    } else {
        const auto count = static_cast<int>(fit.agreement.size());
        const QString target = count == 1 ? FitTexts::tr("Fitted to one photograph")
                                          : FitTexts::tr("Fitted to %1 photographs").arg(count);
        texts << FitTexts::tr("%1 in %2 ms, overlap %3\u00a0→\u00a0%4")
                     .arg(target, millisecondsText(fit.milliseconds),
                          meanOverlap(fit, &FitAgreement::before),
                          meanOverlap(fit, &FitAgreement::after));
    }
    if (fit.hasLowOverlap())
        texts << FitTexts::tr("The overlap is below %1: check cameras and masks.")
                     .arg(kMinFitOverlap);
    if (!outcome.choice.empty()) texts << withControlNames(outcome.choice);
    for (const std::string& note : fit.notes) texts << withControlNames(note);
    if (outcome.surface && outcome.surface->depthUsed())
        texts << FitTexts::tr("Depth from photographs moved the hull.");
    if (outcome.surface && !outcome.surface->depth && outcome.requested.surface == FitSource::depth)
        texts << FitTexts::tr(
                     "Depth needs at least %1 photographs of the object. The hull is kept.")
                     .arg(kMinPhotographsForDepth);
    return texts.join(QStringLiteral(" · "));
}

}  // namespace threefold::ui
