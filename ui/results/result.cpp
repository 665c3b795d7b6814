#include "ui/results/result.h"

#include <cmath>
#include <optional>

#include <QCoreApplication>
#include <QStringList>

#include "engine/geometry/nearest.h"
#include "engine/views/left_out_view.h"
#include "ui/results/quantities.h"
#include "ui/style/control_names.h"
#include "ui/style/number_format.h"

namespace threefold::ui {
namespace {

/// The true points that the mesh of a stage misses.
MissedTruth missedBy(const render::SceneMesh& truth, const render::SceneMesh& mesh) {
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

std::vector<MissedTruth> missedTruths(const MeshMorph& morph, const ResultTruth& truth) {
    std::vector<MissedTruth> missed(morph.stages.size());
    for (std::size_t stage = morph.firstPublishedIndex(); stage < missed.size(); ++stage)
        if (const render::SceneMeshRef& mesh = morph.stages[stage].mesh)
            missed[stage] = missedBy(*truth.points, *mesh);
    return missed;
}

// The truth without distances.
ResultTruth truthInWorld(const GroundTruth& truth, const Camera& camera) {
    ResultTruth shown;
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
    return shown;
}

// Null if the stage was not evaluated.
const MeshEvaluation* stageEvaluation(const Evaluation& evaluation, const MeshMorph& morph,
                                      std::size_t stage) {
    return evaluation.find(morph.stages.at(stage).name);
}

std::vector<std::vector<FScore>> fScoreCurvesOf(const Evaluation& evaluation,
                                                const MeshMorph& morph) {
    std::vector<std::vector<FScore>> curves(morph.stages.size());
    for (std::size_t stage = 0; stage < curves.size(); ++stage)
        if (const MeshEvaluation* mesh = stageEvaluation(evaluation, morph, stage))
            curves[stage] = fScoresAt(mesh->toTruth, mesh->fromTruth, fScoreThresholds());
    return curves;
}

// Distances of a stage's vertices to the truth's surface, or else to the truth's points.
// `evaluation`: null before the evaluation.
std::vector<float> stageDistances(const MeshMorph& morph, std::size_t stage,
                                  const ResultTruth& truth, const Evaluation* evaluation) {
    const render::SceneMeshRef& mesh = morph.stages[stage].mesh;
    if (!mesh) return {};
    const MeshEvaluation* known =
        evaluation != nullptr ? stageEvaluation(*evaluation, morph, stage) : nullptr;
    if (known != nullptr && !truth.index) return known->distances;
    return quantityInfo(Quantity::distanceToTruth).ofMesh(*mesh, truth.shape());
}

// Sets the truth with the distances of all stages to it, also of stages that are shown but not
// (yet) evaluated.
void addTruth(Result& result, const GroundTruth& truth, const Evaluation* evaluation) {
    ResultTruth& shown = result.truth.emplace(truthInWorld(truth, result.referenceCamera()));
    for (std::size_t stage = 0; stage < result.morph.stages.size(); ++stage)
        shown.stageDistance.push_back(stageDistances(result.morph, stage, shown, evaluation));
}

// The visual hull in world space if depth moved it to the fitted mesh, else null.
render::SceneMeshRef hullBeforeDepth(const std::optional<HullFit>& surface, const Camera& camera) {
    if (!surface || !surface->depthUsed()) return nullptr;
    return meshInWorld(surface->hull.vertices, surface->hull.faces, camera);
}

// Sets the members that follow from sample, views and reconstruction.
void addMeshes(Result& result) {
    result.morph = makeMeshMorph(result.reconstruction, result.referenceCamera());
    auto points = std::make_shared<Points>(result.mesh(MeshId::firstPublished)->vertices);
    if (const render::SceneMeshRef& last = result.mesh(MeshId::result))
        points->insert(points->end(), last->vertices.begin(), last->vertices.end());
    result.framedPoints = std::move(points);
    result.quantities = std::make_shared<QuantityCache>();
}

struct FitTexts {
    Q_DECLARE_TR_FUNCTIONS(FitTexts)
};

}  // namespace

const MeshEvaluation* evaluationOf(const Result& result, std::size_t stage) {
    const Evaluation* evaluation = result.evaluation();
    return evaluation != nullptr ? stageEvaluation(*evaluation, result.morph, stage) : nullptr;
}

const Result::Evaluated* Result::evaluated() const {
    if (fitted() != nullptr) return fitted();
    return std::get_if<Evaluated>(&state);
}

const render::SceneMeshRef& Result::mesh(MeshId id) const {
    static const render::SceneMeshRef kNone;
    if (id == MeshId::hull) return evaluated() != nullptr ? evaluated()->hull : kNone;
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

ResultRef makeResult(SampleRef sample, std::vector<int> views, FittedReconstruction reconstruction,
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
    addMeshes(*result);
    Result::Evaluated evaluated{.truthProblem = std::move(measured.loaded.truthProblem),
                                .truthNotes = truth.notes};
    if (measured.evaluation) {
        addTruth(*result, truth, &*measured.evaluation);
        auto compared = std::make_shared<GroundTruth>();
        compared->points = std::move(truth.points);
        auto curves = fScoreCurvesOf(*measured.evaluation, result->morph);
        evaluated.evaluation =
            ResultEvaluation{std::move(*measured.evaluation), std::move(compared),
                             std::move(curves), missedTruths(result->morph, *result->truth)};
    }
    if (measured.fit)
        evaluated.hull = hullBeforeDepth(measured.fit->hullFit, result->referenceCamera());
    result->state = std::move(evaluated);
    return result;
}

ResultRef makePartialResult(const LoadedSample& loaded, const Reconstruction& soFar) {
    auto result = std::make_shared<Result>();
    result->sample = loaded.sample;
    result->views = loaded.views;
    result->reconstruction = soFar;
    addMeshes(*result);
    if (!loaded.truth.points.empty()) addTruth(*result, loaded.truth, nullptr);
    return result;
}

ResultRef withFit(const ResultRef& before, FitChoice requested, FittedSample sample) {
    auto result = std::make_shared<Result>(*before);
    Result::Fitted fitted{*before->evaluated(), requested, std::move(sample.fit).value(), before};
    fitted.fit.photographs.reset();
    const std::optional<FitResult>& fit = fitted.fit.result;
    // Without a view to agree with, the fit returns its input.
    if (!sample.reconstruction.fitted || !fit || fit->agreements.empty()) {
        result->state = std::move(fitted);
        return result;
    }
    const Camera camera = result->referenceCamera();
    FittedReconstruction& reconstruction = result->reconstruction;
    const Mesh& mesh = reconstruction.fitted.emplace(std::move(*sample.reconstruction.fitted));
    result->morph = withFitted(result->morph, meshInWorld(mesh.vertices, mesh.faces, camera));
    result->quantities = std::make_shared<QuantityCache>();
    if (auto hull = hullBeforeDepth(fitted.fit.hullFit, camera)) fitted.hull = std::move(hull);
    if (fitted.evaluation) {
        ResultEvaluation& network = *fitted.evaluation;
        ResultTruth& truth = *result->truth;
        Evaluation evaluation = evaluateByPublishedProtocol(reconstruction, *network.truth);
        network.missed.back() = missedBy(*truth.points, *result->mesh(MeshId::fitted));
        truth.stageDistance.back() =
            stageDistances(result->morph, result->morph.fittedIndex(), truth, &evaluation);
        auto curves = fScoreCurvesOf(evaluation, result->morph);
        fitted.evaluation = ResultEvaluation{std::move(evaluation), network.truth,
                                             std::move(curves), std::move(network.missed)};
    }
    result->state = std::move(fitted);
    if (result->evaluation() != nullptr)
        quantityValues(*result, MeshId::hull, Quantity::distanceToTruth);  // kept in the cache
    return result;
}

QString fitSummary(const SampleFit& fit, ChoiceReason reason) {
    if (!fit.result)
        return fit.problem ? FitTexts::tr("Not fitted, the network's mesh is kept: %1")
                                 .arg(QString::fromStdString(fit.problem->problem))
                           : FitTexts::tr("Not fitted, the network's mesh is kept");
    const FitResult& result = *fit.result;
    if (result.lacksMasks && fit.notes.empty())
        return FitTexts::tr("Not fitted: no photograph is cut out yet");
    QStringList texts;
    if (result.agreements.empty()) {
        texts << FitTexts::tr("Not fitted, the network's mesh is kept");
    } else {
        const auto count = static_cast<int>(result.agreements.size());
        const QString target = count == 1 ? FitTexts::tr("Fitted to one photograph")
                                          : FitTexts::tr("Fitted to %1 photographs").arg(count);
        texts << FitTexts::tr("%1 in %2, overlap %3\u00a0→\u00a0%4")
                     .arg(target, timeText(result.milliseconds),
                          fixedText(result.meanOverlapBefore(), 3),
                          fixedText(result.meanOverlapAfter(), 3));
    }
    if (result.hasLowOverlap())
        texts << FitTexts::tr("The overlap is below %1: check cameras and masks.")
                     .arg(kMinFitOverlap);
    if (reason == ChoiceReason::included && !fit.choiceReason.empty())
        texts << withControlNames(fit.choiceReason);
    for (const std::string& remark : remarksOf(result.leftOut, fit.notes))
        texts << withControlNames(remark);
    if (fit.hullFit && fit.hullFit->depthUsed())
        texts << FitTexts::tr("Depth from photographs moved the hull.");
    if (fit.hullFit && !fit.hullFit->depth && fit.resolved.source == FitSource::depth)
        texts << FitTexts::tr(
                     "Depth needs at least %1 photographs of the object. The hull is kept.")
                     .arg(kMinPhotographsForDepth);
    return texts.join(QStringLiteral(" · "));
}

}  // namespace threefold::ui
