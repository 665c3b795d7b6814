#include "engine/pipeline/evaluate.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "engine/fitting/fit_mesh.h"
#include "engine/metrics/nearest.h"

namespace threefold {
namespace {

MeshEvaluation evaluateVertices(NearestPair found, double tau) {
    MeshEvaluation evaluation;
    evaluation.toTruth = std::move(found.firstToSecond);
    evaluation.fromTruth = std::move(found.secondToFirst);
    evaluation.measures = measure(evaluation.toTruth, evaluation.fromTruth, tau);
    evaluation.distance.reserve(evaluation.toTruth.squaredDistance.size());
    for (double squared : evaluation.toTruth.squaredDistance)
        evaluation.distance.push_back(static_cast<float>(std::sqrt(squared)));
    return evaluation;
}

/// With one index of the truth for all pairs.
std::vector<NearestPair> nearestOnProcessor(std::span<const CloudPair> pairs,
                                            const GroundTruth& truth) {
    const NearestIndex index(truth.points);
    std::vector<NearestPair> found;
    for (const CloudPair& pair : pairs)
        found.push_back({index.find(pair.first), nearestNeighbours(truth.points, pair.first)});
    return found;
}

/// Larger photographs are sampled at every n-th pixel: a measure should take a small part of the
/// network's time.
constexpr int kMostPixels = 1024;

/// The middle pixel of each block of n × n pixels.
Mask everyNth(const Mask& mask, int n) {
    Mask coarser{(mask.width + n - 1) / n, (mask.height + n - 1) / n, {}};
    for (int y = 0; y < coarser.height; ++y) {
        const auto row = static_cast<std::size_t>(std::min(n * y + n / 2, mask.height - 1));
        for (int x = 0; x < coarser.width; ++x) {
            const auto column = static_cast<std::size_t>(std::min(n * x + n / 2, mask.width - 1));
            const std::size_t from = row * static_cast<std::size_t>(mask.width) + column;
            coarser.inside.push_back(mask.inside[from]);
            if (!mask.known.empty()) coarser.known.push_back(mask.known[from]);
        }
    }
    return coarser;
}

}  // namespace

Evaluation evaluate(const Reconstruction& reconstruction, const GroundTruth& truth, double tau,
                    const NearestFunction& nearest) {
    const std::vector<const StageMesh*> published = reconstruction.published();
    std::vector<CloudPair> pairs;
    for (const StageMesh* mesh : published) pairs.push_back({mesh->vertices, truth.points});
    if (!reconstruction.fitted.empty()) pairs.push_back({reconstruction.fitted, truth.points});
    std::vector<NearestPair> found =
        nearest ? nearest(pairs).pairs : nearestOnProcessor(pairs, truth);
    Evaluation evaluation;
    for (std::size_t i = 0; i < found.size(); ++i)
        evaluation.add(i < published.size() ? published[i]->stage.name : kFittedMesh,
                       evaluateVertices(std::move(found[i]), tau));
    return evaluation;
}

Shape shapeOf(const GroundTruth& truth) {
    return {truth.points, {}, truth.normals};
}

MeshComparison compareMeshes(const Reconstruction& reconstruction, const PreparedTruth& truth) {
    const Faces none;
    const Faces& faces = reconstruction.levelFaces ? reconstruction.faces() : none;
    MeshComparison comparison{truth, {}};
    for (const StageMesh* mesh : reconstruction.published())
        comparison.meshes.add(mesh->stage.name, truth.compare({mesh->vertices, faces, {}}));
    return comparison;
}

SampleScores sampleScores(const Reconstruction& reconstruction, const MeshComparison& comparison) {
    const PreparedTruth& truth = comparison.truth;
    SampleScores scores;
    for (const auto& [mesh, clouds] : comparison.meshes.entries())
        scores.add(mesh, truth.score(clouds));
    const Faces none;
    if (!reconstruction.fitted.empty())
        scores.add(kFittedMesh,
                   truth.score({reconstruction.fitted,
                                reconstruction.levelFaces ? reconstruction.facesOfFitted() : none,
                                {}}));
    return scores;
}

std::vector<ViewSilhouettes> silhouettesOf(const Reconstruction& meshes, const Camera& space,
                                           std::span<const MaskedView> views) {
    std::vector<ViewSilhouettes> silhouettes;
    for (const MaskedView& view : views) {
        ViewSilhouettes of{view.view};
        if (view.mask) {
            const Mask& seen = *view.mask;
            // Odd: a block has a middle pixel, whose middle is the block's.
            const int least = (std::max(seen.width, seen.height) + kMostPixels - 1) / kMostPixels;
            const int step = least / 2 * 2 + 1;
            const Mask object = step > 1 ? everyNth(seen, step) : seen;
            const auto scoreOf = [&](const Points& vertices, const Faces& faces) {
                SilhouetteScore score = compareMasks(
                    maskOf(vertices, faces, space, view.camera, object.width, object.height),
                    object);
                if (score.distance) {
                    score.distance->mean *= step;
                    score.distance->most *= step;
                }
                return score;
            };
            for (const StageMesh* mesh : meshes.published())
                of.meshes.add(mesh->stage.name, scoreOf(mesh->vertices, meshes.faces(*mesh)));
            if (!meshes.fitted.empty())
                of.meshes.add(kFittedMesh, scoreOf(meshes.fitted, meshes.facesOfFitted()));
        }
        silhouettes.push_back(of);
    }
    return silhouettes;
}

}  // namespace threefold
