#include "engine/sample_steps/evaluate.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <glm/vec2.hpp>

#include "engine/fitting/fit_mesh.h"
#include "engine/geometry/nearest.h"
#include "engine/sample_steps/compare_view_masks.h"

namespace threefold {
namespace {

MeshEvaluation evaluateVertices(BidirectionalNeighbours nearest, double tau) {
    MeshEvaluation evaluation;
    evaluation.toTruth = std::move(nearest.firstToSecond);
    evaluation.fromTruth = std::move(nearest.secondToFirst);
    evaluation.measures = chamferAndFScores(evaluation.toTruth, evaluation.fromTruth, tau);
    evaluation.distances.reserve(evaluation.toTruth.squaredDistances.size());
    for (double squared : evaluation.toTruth.squaredDistances)
        evaluation.distances.push_back(static_cast<float>(std::sqrt(squared)));
    return evaluation;
}

/// Nearest neighbours of all pairs, with one index of the truth.
std::vector<BidirectionalNeighbours> nearestOnProcessor(std::span<const CloudPair> pairs,
                                                        const GroundTruth& truth) {
    const NearestIndex index(truth.points);
    std::vector<BidirectionalNeighbours> found;
    for (const CloudPair& pair : pairs)
        found.push_back({index.find(pair.first), nearestNeighbours(truth.points, pair.first)});
    return found;
}

/// Maximum side of a mask; larger ones are subsampled, so that a measure takes a small part of the
/// network's time.
constexpr int kMaxMaskSide = 1024;

/// Side of the blocks of pixels by which a mask is subsampled; 1: not. Rounds up to an odd number,
/// for instance 2 to 3, so that each block has a pixel at its centre.
int subsamplingStep(const Mask& mask) {
    const int minStep = (std::max(mask.width, mask.height) + kMaxMaskSide - 1) / kMaxMaskSide;
    return minStep / 2 * 2 + 1;
}

/// Subsamples a mask: takes the centre pixel of each block of n × n pixels. The blocks begin at the
/// upper left corner. Rows and columns of blocks whose centres lie beyond the mask are left out.
Mask subsampled(const Mask& mask, int n) {
    const auto blocks = [n](int pixels) { return std::max((pixels + n / 2) / n, 1); };
    Mask coarser{blocks(mask.width), blocks(mask.height), {}};
    for (int y = 0; y < coarser.height; ++y) {
        const auto row = static_cast<std::size_t>(std::min(n * y + n / 2, mask.height - 1));
        for (int x = 0; x < coarser.width; ++x) {
            const auto column = static_cast<std::size_t>(std::min(n * x + n / 2, mask.width - 1));
            const std::size_t source = row * static_cast<std::size_t>(mask.width) + column;
            coarser.inside.push_back(mask.inside[source]);
            if (!mask.known.empty()) coarser.known.push_back(mask.known[source]);
        }
    }
    return coarser;
}

/// A score of masks that were subsampled by `step`, in pixels of the whole masks.
SilhouetteScore inPixels(SilhouetteScore score, int step) {
    if (score.outlineDistance) {
        score.outlineDistance->mean *= step;
        score.outlineDistance->hausdorff *= step;
    }
    return score;
}

}  // namespace

std::vector<NamedMesh> publishedMeshes(const Reconstruction& reconstruction) {
    static const Faces kNoFaces;
    const std::size_t levels = reconstruction.levelFaces ? reconstruction.levelFaces->size() : 0;
    std::vector<NamedMesh> meshes;
    for (const StageMesh* mesh : reconstruction.published())
        meshes.push_back({mesh->stage.name, mesh->vertices,
                          mesh->stage.level < levels ? reconstruction.faces(*mesh) : kNoFaces});
    return meshes;
}

std::vector<NamedMesh> publishedAndFittedMeshes(const FittedReconstruction& reconstruction) {
    std::vector<NamedMesh> meshes = publishedMeshes(reconstruction.network);
    if (const auto& fitted = reconstruction.fitted)
        meshes.push_back({kFittedMesh, fitted->vertices, fitted->faces});
    return meshes;
}

Evaluation evaluateByPublishedProtocol(const FittedReconstruction& reconstruction,
                                       const GroundTruth& truth, double tau,
                                       const NearestFunction& nearest) {
    const std::vector<NamedMesh> meshes = publishedAndFittedMeshes(reconstruction);
    std::vector<CloudPair> pairs;
    for (const NamedMesh& mesh : meshes) pairs.push_back({mesh.vertices, truth.points});
    std::vector<BidirectionalNeighbours> found =
        nearest ? nearest(pairs).pairs : nearestOnProcessor(pairs, truth);
    Evaluation evaluation;
    for (std::size_t i = 0; i < found.size(); ++i)
        evaluation.add(meshes[i].name, evaluateVertices(std::move(found[i]), tau));
    return evaluation;
}

ScoredShape scoredShapeOf(const GroundTruth& truth) {
    return {truth.points, {}, truth.normals};
}

MeshComparisons prepareComparison(const Reconstruction& reconstruction,
                                  const PreparedTruth& truth) {
    MeshComparisons comparison{truth, {}};
    for (const NamedMesh& mesh : publishedMeshes(reconstruction))
        comparison.meshes.add(mesh.name,
                              MeshComparison{truth.prepare({mesh.vertices, mesh.faces, {}})});
    return comparison;
}

SampleScores sampleScores(const FittedReconstruction& reconstruction,
                          const MeshComparisons& comparison) {
    const PreparedTruth& truth = comparison.truth;
    SampleScores scores;
    for (const auto& [name, mesh] : comparison.meshes.entries())
        scores.add(name, truth.score(mesh.clouds, mesh.device));
    if (const auto& fitted = reconstruction.fitted)
        scores.add(kFittedMesh, truth.score({fitted->vertices, fitted->faces, {}}));
    return scores;
}

SurfaceDistanceSummaries surfaceDistancesOf(const FittedReconstruction& reconstruction,
                                            const GroundTruth& truth) {
    SurfaceDistanceSummaries found;
    if (truth.surface.faces.empty()) return found;
    const TruthDistances distances(truth);
    for (const NamedMesh& mesh : publishedAndFittedMeshes(reconstruction))
        found.add(mesh.name, distanceSummaryOf(distances.distancesOf(mesh.vertices)));
    return found;
}

std::vector<ViewSilhouetteScores> silhouettesOf(const FittedReconstruction& reconstruction,
                                                const Camera& referenceCamera,
                                                std::span<const MaskedView> views, int threads,
                                                const std::stop_token& cancel) {
    std::vector<ViewSilhouetteScores> silhouettes;
    std::vector<MaskedView> compared;    // the views with a mask, subsampled
    std::vector<glm::dvec2> extents;     // of the compared masks, whose blocks are whole pixels
    std::vector<std::size_t> positions;  // of the compared views in the list of all
    for (std::size_t i = 0; i < views.size(); ++i) {
        const MaskedView& view = views[i];
        silhouettes.push_back({view.view});
        if (!view.mask) continue;
        const int step = subsamplingStep(*view.mask);
        compared.push_back(
            {view.view, view.camera, step > 1 ? subsampled(*view.mask, step) : *view.mask});
        const Mask& mask = *compared.back().mask;
        extents.push_back(double(step) * glm::dvec2(mask.width, mask.height) /
                          glm::dvec2(view.mask->width, view.mask->height));
        positions.push_back(i);
    }
    for (const NamedMesh& mesh : publishedAndFittedMeshes(reconstruction)) {
        const std::vector<SilhouetteScore> scores =
            compareViewMasks({mesh.vertices, mesh.faces}, referenceCamera, compared, threads,
                             cancel, compareMasks, extents);
        for (std::size_t i = 0; i < scores.size(); ++i) {
            const std::size_t position = positions[i];
            silhouettes[position].meshes.add(
                mesh.name, inPixels(scores[i], subsamplingStep(*views[position].mask)));
        }
    }
    return silhouettes;
}

}  // namespace threefold
