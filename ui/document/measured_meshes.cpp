#include "ui/document/measured_meshes.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/geometry/nearest.h"
#include "engine/geometry/surface_samples.h"
#include "engine/measures/measure_table.h"
#include "engine/sample/mesh_space.h"
#include "engine/text.h"
#include "ui/results/morphed_mesh.h"
#include "ui/style/number_format.h"

namespace threefold::ui {
namespace {

double maxDistance(const Neighbours& nearest) {
    if (nearest.squaredDistances.empty()) return 0;
    return std::sqrt(*std::ranges::max_element(nearest.squaredDistances));
}

std::shared_ptr<ScoresWithCurve> scoresOf(Protocol protocol, const Neighbours& toTruth,
                                          const Neighbours& fromTruth) {
    auto scores = std::make_shared<ScoresWithCurve>();
    scores->protocol = protocol;
    scores->predictionPoints = toTruth.squaredDistances.size();
    scores->truthPoints = fromTruth.squaredDistances.size();
    scores->hausdorffToTruth = maxDistance(toTruth);
    scores->hausdorffFromTruth = maxDistance(fromTruth);
    scores->hausdorff = std::max(scores->hausdorffToTruth, scores->hausdorffFromTruth);
    return scores;
}

/// Throws InputError if there are no points to compare, or points that are not finite.
ScoresRef measureMesh(const render::SceneMesh& mesh, const Points& truth, Protocol protocol) {
    if (protocol == Protocol::surface && mesh.faces.empty())
        throw InputError({"", "", "points without faces have no surface to sample", ""});
    const Points points = protocol == Protocol::surface
                              ? sampleSurface({mesh.vertices, mesh.faces}).points
                              : mesh.vertices;
    const Neighbours toTruth = nearestNeighbours(points, truth);
    const Neighbours fromTruth = nearestNeighbours(truth, points);
    auto scores = scoresOf(protocol, toTruth, fromTruth);
    scores->measures = chamferAndFScores(toTruth, fromTruth);
    scores->fScoreCurve = fScoresAt(toTruth, fromTruth, fScoreThresholds());
    return scores;
}

ScoresRef scoresIn(const ScoresState& state) {
    const auto* scores = std::get_if<ScoresRef>(&state);
    return scores != nullptr ? *scores : nullptr;
}

/// The scores in the result's evaluation; null if the mesh was not evaluated.
ScoresRef publishedScores(const Result& result, MeshId id) {
    const std::optional<std::size_t> stage = result.morph.stageIndex(id);
    const MeshEvaluation* evaluation = stage ? evaluationOf(result, *stage) : nullptr;
    if (evaluation == nullptr) return nullptr;
    auto scores = scoresOf(Protocol::published, evaluation->toTruth, evaluation->fromTruth);
    scores->measures = evaluation->measures;
    scores->fScoreCurve = result.evaluation()->fScoreCurves[*stage];
    return scores;
}

}  // namespace

ScoresRef MeasuredMesh::scores() const {
    return scoresIn(state);
}

QString MeasuredMesh::problem() const {
    const auto* notMeasurable = std::get_if<NotMeasurable>(&state);
    return notMeasurable != nullptr ? notMeasurable->reason : QString();
}

MeasuredMeshes::MeasuredMeshes(Document& document) : QObject(&document), document_(document) {
    connect(&document.opened, &OpenedMeshes::changed, this, &MeasuredMeshes::updateMeasurements);
    connect(&document.result, &ResultModel::changed, this, &MeasuredMeshes::updateMeasurements);
    updateMeasurements();
}

Protocol MeasuredMeshes::protocol() const {
    if (chosenProtocol_) return *chosenProtocol_;
    const auto hasFaces = [&](MeshId id) {
        const OpenedMeshRef& opened = document_.opened.find(id);
        return !opened || !opened->mesh || !opened->mesh->faces.empty();
    };
    const bool comparesSurfaces = !document_.result.current() && isTruthSampled() &&
                                  std::ranges::all_of(document_.opened.ids(), hasFaces);
    return comparesSurfaces ? Protocol::surface : Protocol::published;
}

void MeasuredMeshes::setProtocol(Protocol protocol) {
    const Protocol before = this->protocol();
    chosenProtocol_ = protocol;
    if (before == protocol) return;
    requestMissing();
    Q_EMIT changed();
}

render::SceneMeshRef MeasuredMeshes::meshOf(MeshId id) const {
    if (id.isOpened()) return document_.opened.find(id) ? document_.opened.find(id)->mesh : nullptr;
    const ResultRef& result = document_.result.current();
    if (!result || id == MeshId::truth) return nullptr;
    if (id == MeshId::firstPublished && result->morph.hasOnePublished()) return nullptr;
    return result->mesh(id);
}

MeasuredMesh MeasuredMeshes::mesh(MeshId id) const {
    const render::SceneMeshRef mesh = meshOf(id);
    if (!mesh) return {.id = id, .state = ScoresWithheld{}};
    const ResultRef& result = document_.result.current();
    MeasuredMesh measured{
        .id = id,
        .name = id.isOpened() ? document_.opened.find(id)->name() : meshLabel(result->morph, id)};
    const auto measurement = find(mesh, document_.truthPoints());
    if (const ScoresRef published =
            protocol() == Protocol::published && result ? publishedScores(*result, id) : nullptr)
        measured.state = published;
    else if (id.isOpened() && document_.isStale(id))
        measured.state = ScoresWithheld{};
    else if (measurement)
        measured.state = measurement->state;
    return measured;
}

ScoresRef MeasuredMeshes::requestFinalScores(const Result& result) {
    if (!result.truth) return nullptr;
    if (protocol() == Protocol::published)
        return publishedScores(result,
                               result.mesh(MeshId::fitted) ? MeshId::fitted : MeshId::result);
    const render::SceneMeshRef& mesh = result.finalMesh();
    requestScores(mesh, result.truth->points);
    return scoresIn(find(mesh, result.truth->points)->state);
}

std::shared_ptr<MeasuredMeshes::Measurement> MeasuredMeshes::find(
    const render::SceneMeshRef& mesh, const render::SceneMeshRef& truth) const {
    const auto found = std::ranges::find_if(measurements_, [&](const auto& measurement) {
        return measurement->mesh.lock() == mesh && measurement->truth.lock() == truth &&
               measurement->protocol == protocol();
    });
    return found == measurements_.end() ? nullptr : *found;
}

std::vector<MeasuredMesh> MeasuredMeshes::meshes() const {
    std::vector<MeasuredMesh> measured;
    if (!document_.truthPoints()) return measured;
    for (const MeshId id : document_.opened.idsWithResult())
        if (meshOf(id)) measured.push_back(mesh(id));
    return measured;
}

bool MeasuredMeshes::isBusy() const {
    return std::ranges::any_of(meshes(), [](const MeasuredMesh& measured) {
        return std::holds_alternative<ScoresPending>(measured.state);
    });
}

bool MeasuredMeshes::isTruthSampled() const {
    if (const ResultRef& result = document_.result.current())
        return result->truth && result->truth->surface;
    const OpenedMeshRef& reference = document_.opened.reference();
    return reference && reference->mesh && !reference->mesh->faces.empty();
}

QString MeasuredMeshes::protocolNote() const {
    const render::SceneMeshRef truth = document_.truthPoints();
    if (!truth) return {};
    const QString points = groupedCount(truth->vertices.size());
    return protocol() == Protocol::published ? publishedNote(points) : surfaceNote(points);
}

QString MeasuredMeshes::publishedNote(const QString& points) const {
    const QString against = isTruthSampled() ? tr("%1 points sampled on the truth").arg(points)
                                             : tr("%1 true points").arg(points);
    QString note;
    if (const ResultRef& result = document_.result.current()) {
        QString vertices = groupedCount(result->mesh(MeshId::result)->vertices.size());
        if (hasOwnFittedVertices(*result))
            vertices += tr(" (fitted: %1)")
                            .arg(groupedCount(result->mesh(MeshId::fitted)->vertices.size()));
        note = tr("Published protocol: %1 vertices against %2, squared distances.")
                   .arg(vertices, against);
    } else {
        note = tr("Published protocol: vertices against %1, squared distances.").arg(against);
    }
    return note + ' ' +
           tr("Even the true mesh may score below 100 %, because its vertices differ "
              "from the sampled points. The surface protocol compares surfaces.");
}

QString MeasuredMeshes::surfaceNote(const QString& points) const {
    const QString samples = groupedCount(kSurfaceSampleCount);
    return isTruthSampled() ? tr("Surface protocol: %1 points sampled on each surface, squared "
                                 "distances. A mesh against itself gives 100 %.")
                                  .arg(samples)
                            : tr("Surface protocol: %1 points sampled on the mesh against the "
                                 "truth's %2 points, which have no faces; squared distances.")
                                  .arg(samples, points);
}

QString MeasuredMeshes::problemLines() const {
    QStringList lines;
    for (const MeasuredMesh& measured : meshes())
        if (const QString problem = measured.problem(); !problem.isEmpty())
            lines << tr("%1: %2.").arg(measured.name, problem);
    const render::SceneMeshRef truth = document_.truthPoints();
    for (const MeshId id : truth ? document_.opened.ids() : std::vector<MeshId>{}) {
        const render::SceneMeshRef mesh = meshOf(id);
        const auto ratio = mesh ? sizeRatio(mesh, truth) : std::nullopt;
        if (!ratio) continue;
        const QString times = groupedCount(std::llround(std::max(*ratio, 1 / *ratio)));
        const QString name = document_.opened.find(id)->name();
        lines << (*ratio > 1 ? tr("%1 is %2 times as large as the truth: are both in the same "
                                  "unit? Scale one of them.")
                             : tr("The truth is %2 times as large as %1: are both in the same "
                                  "unit? Scale one of them."))
                     .arg(name, times);
    }
    return lines.join('\n');
}

std::optional<double> MeasuredMeshes::sizeRatio(const render::SceneMeshRef& mesh,
                                                const render::SceneMeshRef& truth) const {
    if (sizeRatios_.truth.lock() != truth) sizeRatios_ = {truth, {}};
    const auto [ratio, isNew] = sizeRatios_.ofMesh.try_emplace(mesh);
    if (isNew) ratio->second = suspiciousSizeRatio(mesh->vertices, truth->vertices);
    return ratio->second;
}

void MeasuredMeshes::updateMeasurements() {
    std::erase_if(sizeRatios_.ofMesh, [](const auto& entry) { return entry.first.expired(); });
    std::erase_if(measurements_, [](const auto& measurement) {
        return measurement->mesh.expired() || measurement->truth.expired();
    });
    requestMissing();
    Q_EMIT changed();
}

void MeasuredMeshes::requestMissing() {
    const render::SceneMeshRef truth = document_.truthPoints();
    if (!truth) return;
    for (const MeshId id : document_.opened.idsWithResult()) {
        const render::SceneMeshRef mesh = meshOf(id);
        if (mesh && !this->mesh(id).scores()) requestScores(mesh, truth);
    }
}

void MeasuredMeshes::requestScores(const render::SceneMeshRef& mesh,
                                   const render::SceneMeshRef& truth) {
    if (find(mesh, truth)) return;
    const auto measurement = std::make_shared<Measurement>(Measurement{mesh, truth, protocol()});
    measurements_.push_back(measurement);
    inBackground(
        this,
        [mesh, truth, protocol = protocol()] {
            return measureMesh(*mesh, truth->vertices, protocol);
        },
        [this, measurement](const TaskResult<ScoresRef>& outcome) {
            if (outcome.value) measurement->state = *outcome.value;
            if (outcome.problem)
                measurement->state =
                    NotMeasurable{QString::fromStdString(outcome.problem->problem)};
            Q_EMIT changed();
        });
}

std::string measuresCsv(const std::vector<MeasuredMesh>& meshes) {
    std::vector<const TruthMeasure*> columns;
    for (const TruthMeasure& measure : truthMeasures()) {
        const auto has = [&](const MeasuredMesh& mesh) {
            const ScoresRef scores = mesh.scores();
            return scores && measure.value(*scores).has_value();
        };
        if (std::ranges::any_of(meshes, has)) columns.push_back(&measure);
    }
    std::string text = "mesh,protocol,tau,points,truth_points";
    for (const TruthMeasure* measure : columns) text += fmt::format(",{}", measure->key);
    text += '\n';
    for (const MeasuredMesh& mesh : meshes) {
        text += csvField(mesh.name.toStdString());
        const ScoresRef known = mesh.scores();
        if (!known) {
            text += std::string(4 + columns.size(), ',') + '\n';
            continue;
        }
        const Scores& scores = *known;
        text += fmt::format(",{},{},{},{}", protocolName(scores.protocol), kTau,
                            scores.predictionPoints, scores.truthPoints);
        for (const TruthMeasure* measure : columns) {
            const auto value = measure->value(scores);
            text += value ? fmt::format(",{}", *value) : ",";
        }
        text += '\n';
    }
    return text;
}

}  // namespace threefold::ui
