#pragma once

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "engine/measures/chamfer_and_f_scores.h"
#include "engine/measures/scores.h"
#include "engine/measures/silhouette.h"
#include "engine/measures/truth_distances.h"
#include "engine/network/reconstruction.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample_steps/fitted_reconstruction.h"
#include "engine/views/camera.h"

namespace threefold {

struct MaskedView;

/// Mesh of a reconstruction, to be measured. Refers to the reconstruction.
struct NamedMesh {
    std::string_view name;  ///< MeshStage::name, or kFittedMesh
    const Points& vertices;
    const Faces& faces;  ///< empty if the reconstruction has none
};

/// The network's published meshes (Reconstruction::published()), in the model's order.
std::vector<NamedMesh> publishedMeshes(const Reconstruction& reconstruction);
/// The meshes that are measured: the published meshes, then the fitted mesh, if any (the order of
/// ByMesh).
std::vector<NamedMesh> publishedAndFittedMeshes(const FittedReconstruction& reconstruction);

/// Published measures of one mesh, with the neighbours that they come from.
struct MeshEvaluation {
    ChamferAndFScores measures;
    /// For each vertex, the distance (not squared, object units) to the nearest true point.
    std::vector<float> distances = {};
    Neighbours toTruth = {};    ///< from each vertex to the true points
    Neighbours fromTruth = {};  ///< from each true point to the vertices
};

/// Comparison of a reconstruction's published and fitted meshes with the truth.
using Evaluation = ByMesh<MeshEvaluation>;

/// Finds nearest neighbours of point clouds, as bidirectionalNeighbours() does.
using NearestFunction = std::function<NeighbourResults(std::span<const CloudPair> pairs)>;

/// Evaluates meshes by the published protocol: vertices against the truth's points, in one space.
/// `nearest`: a device's search; empty: the processor's. Throws InputError if a mesh or the truth
/// has no points, or a coordinate is not finite; exceptions of `nearest` propagate.
Evaluation evaluateByPublishedProtocol(const FittedReconstruction& reconstruction,
                                       const GroundTruth& truth, double tau = kTau,
                                       const NearestFunction& nearest = {});

/// A truth as one side of a comparison: refers to its points and normals. If the truth is a mesh,
/// the points are samples of its surface.
ScoredShape scoredShapeOf(const GroundTruth& truth);

/// Scores of a sample's meshes under one protocol. Each mesh's Scores name the protocol.
struct SampleScores : ByMesh<Scores> {
    /// Whether stage 2 made the mesh worse: the refined Chamfer distance is larger than the coarse.
    bool regressed() const { return result().measures.chamfer > first().measures.chamfer; }
};

/// A mesh paired with a truth, and the parts of their comparison that a device has computed.
struct MeshComparison {
    PreparedPrediction clouds;
    DeviceResults device = {};
};

/// The network's published meshes, paired with a truth for comparison.
struct MeshComparisons {
    PreparedTruth truth;
    ByMesh<MeshComparison> meshes;
};
/// Pairs the published meshes with the truth. Throws as PreparedTruth::prepare() does.
MeshComparisons prepareComparison(const Reconstruction& reconstruction, const PreparedTruth& truth);

/// Scores the meshes of `comparison`, and the fitted one, under the truth's protocol. Throws as
/// score() does, Cancelled included.
SampleScores sampleScores(const FittedReconstruction& reconstruction,
                          const MeshComparisons& comparison);
inline SampleScores sampleScores(const FittedReconstruction& reconstruction,
                                 const PreparedTruth& truth) {
    return sampleScores(reconstruction, prepareComparison(reconstruction.network, truth));
}

/// Distances of the meshes' vertices from the truth's surface. Separate from SampleScores, as these
/// distances do not depend on the protocol.
struct SurfaceDistanceSummaries : ByMesh<DistanceSummary> {
    /// Whether stage 2 made the mesh worse: its vertices are farther from the truth on average.
    bool regressed() const { return result().mean > first().mean; }
};

/// Measures the published meshes and the fitted one, which are in the space of the truth; empty for
/// a truth without faces.
SurfaceDistanceSummaries surfaceDistancesOf(const FittedReconstruction& reconstruction,
                                            const GroundTruth& truth);

/// Compares the meshes' silhouettes with each view's mask. The meshes are in the space of camera
/// `referenceCamera`. `threads`, `cancel` and exceptions: as of compareViewMasks().
std::vector<ViewSilhouetteScores> silhouettesOf(const FittedReconstruction& reconstruction,
                                                const Camera& referenceCamera,
                                                std::span<const MaskedView> views, int threads = 1,
                                                const std::stop_token& cancel = {});

}  // namespace threefold
