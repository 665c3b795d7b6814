#include "engine/evaluation/evaluate.h"

#include <cmath>
#include <cstddef>

#include "engine/metrics/nearest.h"

namespace threefold {
namespace {

MeshEvaluation evaluateVertices(const Points& vertices, const GroundTruth& truth,
                                const NearestIndex& truthIndex, double tau) {
    const Nearest toTruth = truthIndex.find(vertices);
    MeshEvaluation evaluation;
    evaluation.measures = measure(toTruth, nearestNeighbours(truth.points, vertices), tau);
    evaluation.distance.reserve(vertices.size());
    for (double squared : toTruth.squaredDistance)
        evaluation.distance.push_back(static_cast<float>(std::sqrt(squared)));
    return evaluation;
}

}  // namespace

Evaluation evaluate(const Reconstruction& reconstruction, const GroundTruth& truth, double tau) {
    const NearestIndex truthIndex(truth.points);
    return {evaluateVertices(reconstruction.coarse, truth, truthIndex, tau),
            evaluateVertices(reconstruction.refined, truth, truthIndex, tau)};
}

}  // namespace threefold
