#pragma once

#include <vector>

#include "engine/evaluation/record.h"
#include "engine/metrics/measures.h"
#include "engine/metrics/scores.h"
#include "engine/network/reconstruction.h"
#include "engine/sample/ground_truth.h"

namespace threefold {

/// One mesh against the truth.
struct MeshEvaluation {
    Measures measures;
    /// For each vertex, the distance (not squared, object units) to the nearest true point.
    std::vector<float> distance = {};
    Nearest toTruth = {};    ///< from each vertex: what the measures come from
    Nearest fromTruth = {};  ///< from each true point to the vertices
};

struct Evaluation {
    MeshEvaluation coarse;
    MeshEvaluation refined;
};

/// Published protocol: the vertices against the truth's points, in the same space.
/// Throws InputError where either has no points or a coordinate is not finite.
Evaluation evaluate(const Reconstruction& reconstruction, const GroundTruth& truth,
                    double tau = kTau);

/// A truth as one side of a comparison; a view of its points and normals. They stand for it under
/// both protocols: of a truth that is a mesh they are samples of the surface already.
Shape shapeOf(const GroundTruth& truth);

/// Both final meshes under the protocol that the truth was made ready for (its index is built once
/// for any number of meshes). Throws as score(), Cancelled included.
ScorePair scorePair(const Reconstruction& reconstruction, const PreparedTruth& truth);

}  // namespace threefold
