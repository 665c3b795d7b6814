#include "engine/pipeline/fit_from_hull.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/fitting/mesh_levels.h"
#include "engine/metrics/self_intersections.h"
#include "engine/metrics/silhouette.h"
#include "engine/pipeline/hull_sample.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

constexpr std::size_t kEnoughToJudge = 2'500;
/// Overlap: of two that agree as well, the hull has the finer mesh, and any topology.
constexpr double kAsGood = 0.02;

Mesh moved(const Points& vertices, const Faces& faces, const Camera& from, const Camera& to) {
    Mesh mesh{{}, faces};
    mesh.vertices.reserve(vertices.size());
    for (const glm::vec3& vertex : vertices)
        mesh.vertices.emplace_back(betweenViews(from, to, glm::dvec3(vertex)));
    return mesh;
}

/// In `space`, as the reconstruction's meshes.
HullResult hollowHull(const Reconstruction& network, const Camera& space,
                      std::span<const FitView> photographs, std::size_t vertices,
                      const FitOptions& options, bool hollow = true) {
    const Mesh inner = moved(network.fitted, network.facesOfFitted(), space, Camera{});
    HullResult hull = visualHull(hullViews(photographs), {vertices, options.cancel, options.threads,
                                                          hollow ? &inner : nullptr});
    hull.mesh = moved(hull.mesh.vertices, hull.mesh.faces, Camera{}, space);
    return hull;
}

/// Mean over the photographs that have a mask.
double meanOverlap(const Points& vertices, const Faces& faces, const Camera& space,
                   std::span<const FitView> photographs) {
    double sum = 0;
    std::size_t count = 0;
    for (const FitView& each : photographs) {
        if (!each.mask) continue;
        const Mask drawn =
            maskOf(vertices, faces, space, each.camera, each.mask->width, each.mask->height);
        sum += compareMasks(drawn, *each.mask).overlap;
        ++count;
    }
    return count > 0 ? sum / static_cast<double>(count) : 0;
}

/// Overlaps with every third photograph, which neither mesh was made from.
struct Verdict {
    double network = 0;
    double hull = 0;
};

Verdict judged(const Reconstruction& reconstruction, const Camera& space,
               std::span<const FitView> photographs, const FitOptions& options, Backend* backend) {
    std::vector<FitView> used;
    std::vector<FitView> leftOut;
    for (std::size_t i = 0; i < photographs.size(); ++i)
        (i % 3 == 1 ? leftOut : used).push_back(photographs[i]);
    Reconstruction trial = reconstruction;
    FitOptions silent = options;
    silent.progress = {};
    silent.vertices = 0;
    fitReconstruction(trial, space, used, silent, backend);
    const Mesh hull = hollowHull(trial, space, used, kEnoughToJudge, silent).mesh;
    return {meanOverlap(trial.fitted, trial.faces(), space, leftOut),
            meanOverlap(hull.vertices, hull.faces, space, leftOut)};
}

/// The hull becomes the fitted mesh.
void take(HullResult hull, const Camera& space, std::span<const FitView> photographs,
          Reconstruction& reconstruction, FitResult& result) {
    const Faces& faces = hull.mesh.faces;
    for (std::size_t i = 0; i < photographs.size(); ++i) {
        const Mask& mask = *photographs[i].mask;
        result.agreement[i].after =
            compareMasks(maskOf(hull.mesh.vertices, faces, space, photographs[i].camera, mask.width,
                                mask.height),
                         mask);
    }
    const fitting::MeshLevels levels(hull.mesh.vertices.size(), faces);
    result.creaseAfter = fitting::meanCrease(levels, hull.mesh.vertices);
    result.foldedAfter = fitting::foldedFaces(levels, hull.mesh.vertices).size();
    result.intersectingAfter = intersectingFaces(hull.mesh.vertices, faces).size();
    std::ranges::move(hull.notes, std::back_inserter(result.notes));
    result.vertices = hull.mesh.vertices;
    reconstruction.fitted = std::move(hull.mesh.vertices);
    reconstruction.fittedFaces = std::move(hull.mesh.faces);
}

}  // namespace

void fitFromHull(Reconstruction& reconstruction, const Camera& space,
                 std::span<const FitView> photographs, FitViews::From from,
                 const FitOptions& options, Backend* backend, FitResult& result) {
    const bool decides = from == FitViews::From::automatic;
    const bool hollow = from != FitViews::From::silhouettes;
    if (!decides && hollow && from != FitViews::From::hull) return;
    if (decides && result.agreement.size() < kFewestForHull) return;
    const Stopwatch watch;
    const std::vector<FitView> usable = usedViews(photographs, result);
    const std::size_t vertices = options.vertices > 0 ? options.vertices : kHullVertices;
    try {
        bool better = true;
        if (decides) {
            const Verdict verdict = judged(reconstruction, space, usable, options, backend);
            better = verdict.hull > verdict.network - kAsGood;
            result.notes.push_back(
                fmt::format("With photographs left out the hull agrees to {:.3f}, the network's "
                            "mesh to {:.3f}: fitted from the {}.",
                            verdict.hull, verdict.network, better ? "hull" : "network"));
        }
        if (better)
            take(hollowHull(reconstruction, space, usable, vertices, options, hollow), space,
                 usable, reconstruction, result);
    } catch (const InputError& error) {
        result.notes.push_back(fmt::format("No hull, the network's mesh stays: {}", error.what()));
    }
    result.milliseconds += watch.milliseconds();
}

}  // namespace threefold
