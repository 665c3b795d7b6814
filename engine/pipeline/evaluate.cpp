#include "engine/pipeline/evaluate.h"

#include <cmath>

#include "engine/metrics/nearest.h"

namespace threefold {
namespace {

MeshEvaluation evaluateVertices(const Points& vertices, const GroundTruth& truth,
                                const NearestIndex& truthIndex, double tau) {
    MeshEvaluation evaluation;
    evaluation.toTruth = truthIndex.find(vertices);
    evaluation.fromTruth = nearestNeighbours(truth.points, vertices);
    evaluation.measures = measure(evaluation.toTruth, evaluation.fromTruth, tau);
    evaluation.distance.reserve(vertices.size());
    for (double squared : evaluation.toTruth.squaredDistance)
        evaluation.distance.push_back(static_cast<float>(std::sqrt(squared)));
    return evaluation;
}

}  // namespace

Evaluation evaluate(const Reconstruction& reconstruction, const GroundTruth& truth, double tau) {
    const NearestIndex truthIndex(truth.points);
    Evaluation evaluation{evaluateVertices(reconstruction.coarse, truth, truthIndex, tau),
                          evaluateVertices(reconstruction.refined, truth, truthIndex, tau)};
    if (!reconstruction.fitted.empty())
        evaluation.fitted = evaluateVertices(reconstruction.fitted, truth, truthIndex, tau);
    return evaluation;
}

Shape shapeOf(const GroundTruth& truth) {
    return {truth.points, {}, truth.normals};
}

ScorePair scorePair(const Reconstruction& reconstruction, const PreparedTruth& truth) {
    const Faces none;
    const bool hasFaces = reconstruction.levelFaces != nullptr;
    const Faces& faces = hasFaces ? reconstruction.faces() : none;
    ScorePair pair{truth.score({reconstruction.coarse, faces, {}}),
                   truth.score({reconstruction.refined, faces, {}})};
    if (!reconstruction.fitted.empty())
        pair.fitted = truth.score(
            {reconstruction.fitted, hasFaces ? reconstruction.facesOfFitted() : none, {}});
    return pair;
}

}  // namespace threefold
