#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/metrics/measures.h"
#include "engine/metrics/scores.h"
#include "engine/metrics/silhouette.h"
#include "engine/network/reconstruction.h"
#include "engine/sample/ground_truth.h"
#include "engine/views/camera.h"

namespace threefold {

struct MaskedView;

/// One mesh against the truth.
struct MeshEvaluation {
    Measures measures;
    /// For each vertex, the distance (not squared, object units) to the nearest true point.
    std::vector<float> distance = {};
    Nearest toTruth = {};    ///< from each vertex; input of the measures
    Nearest fromTruth = {};  ///< from each true point to the vertices
};

/// The published meshes of a reconstruction against the truth, and its fitted one.
using Evaluation = ByMesh<MeshEvaluation>;

/// Finds the nearest neighbours of clouds, as nearestBothWays() does.
using NearestFunction = std::function<NearestBatch(std::span<const CloudPair> pairs)>;

/// Published protocol: the vertices against the truth's points, in the same space.
/// `nearest`: a device's search; empty: the processor's. Throws InputError where either has no
/// points or a coordinate is not finite, and what `nearest` throws.
Evaluation evaluate(const Reconstruction& reconstruction, const GroundTruth& truth,
                    double tau = kTau, const NearestFunction& nearest = {});

/// A truth as one side of a comparison: a view of its points and normals, which both protocols use.
/// If the truth is a mesh, the points are samples of its surface.
Shape shapeOf(const GroundTruth& truth);

/// The meshes of a sample under one protocol, which is that of each of the scores.
struct SampleScores : ByMesh<Scores> {
    /// Whether the network's second stage made the mesh worse: its Chamfer distance is larger.
    bool regressed() const { return result().measures.chamfer > first().measures.chamfer; }
};

/// The network's published meshes and a truth before they are compared.
struct MeshComparison {
    PreparedTruth truth;
    ByMesh<ComparedClouds> meshes;
};
/// Throws as PreparedTruth::compare().
MeshComparison compareMeshes(const Reconstruction& reconstruction, const PreparedTruth& truth);

/// Scores the meshes that `comparison` was made from, and the fitted one, under the truth's
/// protocol. Throws as score(), Cancelled included.
SampleScores sampleScores(const Reconstruction& reconstruction, const MeshComparison& comparison);
inline SampleScores sampleScores(const Reconstruction& reconstruction, const PreparedTruth& truth) {
    return sampleScores(reconstruction, compareMeshes(reconstruction, truth));
}

/// Compares the meshes' silhouettes with each view's mask. `space`: the camera in whose space the
/// meshes are. Throws as maskOf().
std::vector<ViewSilhouettes> silhouettesOf(const Reconstruction& meshes, const Camera& space,
                                           std::span<const MaskedView> views);

}  // namespace threefold
