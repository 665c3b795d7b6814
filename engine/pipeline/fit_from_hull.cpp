#include "engine/pipeline/fit_from_hull.h"

#include <omp.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/fitting/mesh_levels.h"
#include "engine/metrics/self_intersections.h"
#include "engine/metrics/silhouette.h"
#include "engine/pipeline/fit_reconstruction.h"
#include "engine/pipeline/masked_views.h"
#include "engine/profile/stopwatch.h"
#include "engine/stereo/depth_surface.h"

namespace threefold {
namespace {

/// Overlap: of two that agree as well, the hull has the finer mesh, and any topology.
constexpr double kAsGood = 0.02;
/// Overlap with the masks that a mesh with depths may lose: masks may hold background. More where
/// most of the surface is witnessed by strong depths (all 16 photographs of Middlebury's
/// temple: 0.074). From the least one on a note says so.
constexpr double kMostLost = 0.06;
constexpr double kMostLostWhereSure = 0.10;
constexpr double kSureOfLoss = 0.6;  ///< share of the surface whose depths are sure and strong
constexpr double kNotedLoss = 0.02;
/// Share of the surface; below, a note says where the hull stays.
constexpr double kLeastSure = 0.5;
/// Overlap of the network's mesh below which the plain hull is tried first.
constexpr double kPlainHullBelow = 0.92;

Mesh moved(const Points& vertices, const Faces& faces, const Camera& from, const Camera& to) {
    Mesh mesh{{}, faces};
    mesh.vertices.reserve(vertices.size());
    for (const glm::vec3& vertex : vertices)
        mesh.vertices.emplace_back(betweenViews(from, to, glm::dvec3(vertex)));
    return mesh;
}

/// In `space`; with the hollows that the fitted mesh of `network` shows, if that is not null.
HullResult hullIn(const Camera& space, std::span<const MaskedView> photographs,
                  std::size_t vertices, const FitOptions& options, const Reconstruction* network) {
    HullOptions how{vertices, options.cancel, options.threads};
    Mesh inner;
    if (network != nullptr) {
        inner = moved(network->fitted, network->facesOfFitted(), space, Camera{});
        how.inner = &inner;
    }
    HullResult hull = visualHull(photographs, how);
    hull.mesh = moved(hull.mesh.vertices, hull.mesh.faces, Camera{}, space);
    return hull;
}

/// What `compare` says of each photograph's mask and the drawn one; all photographs have masks.
template <class Compare>
auto compareEach(const Points& vertices, const Faces& faces, const Camera& space,
                 std::span<const MaskedView> photographs, const FitOptions& options,
                 const Compare& compare) {
    std::vector<decltype(compare(Mask{}, Mask{}))> results(photographs.size());
    const int threads = options.threads > 0 ? options.threads : omp_get_max_threads();
    parallelFor(threads, results.size(), options.cancel, [&](std::size_t i, std::size_t /*on*/) {
        const Mask& mask = *photographs[i].mask;
        results[i] = compare(
            maskOf(vertices, faces, space, photographs[i].camera, mask.width, mask.height), mask);
    });
    return results;
}

double meanOverlap(const Points& vertices, const Faces& faces, const Camera& space,
                   std::span<const MaskedView> photographs, const FitOptions& options) {
    const std::vector<double> each =
        compareEach(vertices, faces, space, photographs, options, maskOverlap);
    return std::accumulate(each.begin(), each.end(), 0.0) / static_cast<double>(each.size());
}

/// Overlaps with every third photograph, which the hull was not made from.
struct Verdict {
    double network = 0;
    double hull = 0;
    bool networkSawThem = false;

    bool forHull() const { return hull > network - kAsGood; }
    std::string sentence() const {
        return fmt::format(
            "Overlap with every third photograph, left out of the hull: hull {:.3f}, network's "
            "mesh {:.3f}{}. Fitted from the {}.",
            hull, network, networkSawThem ? " (fitted to them)" : "",
            forHull() ? "hull" : "network");
    }
};

/// Compares the hull and the network's mesh on every third photograph. The fitted mesh has seen
/// those photographs, so a plain hull that comes within kAsGood of its overlap wins at once and
/// saves a second fit (16 photographs of Middlebury's temple, from files to the mesh: 3.3 s in
/// place of 4.6). Otherwise a second mesh, fitted without those photographs, is compared with the
/// hull with hollows.
Verdict judged(const Reconstruction& reconstruction, const Camera& space,
               std::span<const MaskedView> photographs, const FitOptions& options,
               MeshOperations* device) {
    std::vector<MaskedView> used;
    std::vector<MaskedView> leftOut;
    for (std::size_t i = 0; i < photographs.size(); ++i)
        (i % 3 == 1 ? leftOut : used).push_back(photographs[i]);
    const auto overlap = [&](const Points& vertices, const Faces& faces) {
        return meanOverlap(vertices, faces, space, leftOut, options);
    };
    const auto hullOverlap = [&](const Reconstruction* network) {
        const Mesh hull = hullIn(space, used, kHullVertices, options, network).mesh;
        return overlap(hull.vertices, hull.faces);
    };
    const double seen = overlap(reconstruction.fitted, reconstruction.facesOfFitted());
    if (seen < kPlainHullBelow) {
        const Verdict verdict{seen, hullOverlap(nullptr), true};
        if (verdict.forHull()) return verdict;
    }
    Reconstruction trial = reconstruction;
    FitOptions silent = options;
    silent.progress = {};
    silent.vertices = 0;
    silent.judgesViews = false;
    fitReconstruction(trial, space, used, silent, device);
    return {overlap(trial.fitted, trial.faces()), hullOverlap(&trial)};
}

/// The hull becomes the fitted mesh.
void take(HullResult hull, const Camera& space, std::span<const MaskedView> photographs,
          const FitOptions& options, Reconstruction& reconstruction, FitResult& result) {
    const Faces& faces = hull.mesh.faces;
    const std::vector<SilhouetteScore> scores =
        compareEach(hull.mesh.vertices, faces, space, photographs, options, compareMasks);
    for (std::size_t i = 0; i < scores.size(); ++i) result.agreement[i].after = scores[i];
    const fitting::MeshLevels levels(hull.mesh.vertices.size(), faces);
    result.creaseAfter = fitting::meanCrease(levels, hull.mesh.vertices);
    result.foldedAfter = fitting::foldedFaces(levels, hull.mesh.vertices).size();
    result.intersectingAfter = intersectingFaces(hull.mesh.vertices, faces).size();
    std::ranges::move(hull.notes, std::back_inserter(result.notes));
    result.vertices = hull.mesh.vertices;
    reconstruction.fitted = std::move(hull.mesh.vertices);
    reconstruction.fittedFaces = std::move(hull.mesh.faces);
}

/// The hull's surface moves to where the photographs agree, unless too little of it does.
void addDepth(HullResult& hull, const Camera& space, std::span<const MaskedView> photographs,
              std::size_t vertices, const FitOptions& options, const SurfaceProgress& progress,
              PhotographSurface& surface, FitResult& result) {
    std::vector<const MaskedView*> views;
    for (const MaskedView& each : photographs)
        if (each.mask && each.photograph.isComplete() &&
            std::ranges::count(hull.leftOut, each.view) == 0)
            views.push_back(&each);
    if (views.size() < kFewestForDepth) return;
    DepthOptions how;
    how.vertices = vertices;
    how.threads = options.threads;
    how.cancel = options.cancel;
    how.tolerated = hull.tolerated;
    how.progress = progress.depth;
    how.map = progress.map;
    const Mesh start = moved(hull.mesh.vertices, hull.mesh.faces, space, Camera{});
    surface.depth = depthSurface(start, views, how);
    const Mesh mesh = std::exchange(surface.depth->mesh, {});
    const double sureShare = surface.depth->sure * surface.depth->strong;
    const auto refuse = [&](std::string problem) {
        surface.depthProblem = std::move(problem);
        result.notes.push_back(surface.depthProblem);
    };
    if (mesh.faces.empty())
        return refuse(fmt::format(
            "Depth from photographs is not used, the hull stays: too little texture on {:.0f} % of "
            "the surface, or it shines. Matt, patterned surfaces and photographs 15° to 30° apart "
            "help.",
            100 * (1 - sureShare)));
    const double before = meanOverlap(start.vertices, start.faces, Camera{}, photographs, options);
    const double after = meanOverlap(mesh.vertices, mesh.faces, Camera{}, photographs, options);
    if (after < before - (sureShare >= kSureOfLoss ? kMostLostWhereSure : kMostLost))
        return refuse(fmt::format(
            "Depth from photographs is not used, the hull stays: the overlap with the masks would "
            "fall from {:.3f} to {:.3f}. Check cameras and masks; photographs from nearer by help.",
            before, after));
    if (after < before - kNotedLoss)
        result.notes.push_back(fmt::format(
            "With depth from photographs the overlap with the masks falls from {:.3f} to {:.3f}: "
            "photographs see through parts of the masks. Where these hold background, that is "
            "right; where the object has thin parts, compare with the hull alone.",
            before, after));
    if (surface.depth->sure < kLeastSure)
        result.notes.push_back(fmt::format(
            "Depth from photographs is sure on {:.0f} % of the surface only; elsewhere, too little "
            "texture or too few photographs, the hull stays. Patterned surfaces and photographs "
            "15° to 30° apart help.",
            100 * surface.depth->sure));
    hull.mesh = moved(mesh.vertices, mesh.faces, Camera{}, space);
    surface.depthTaken = true;
}

/// Whether fitFromHull() has anything to do.
bool asksForHull(FitRequest::From from, const FitResult& fit) {
    using enum FitRequest::From;
    if (from == automatic) return fit.agreement.size() >= kFewestForHull;
    return from == hull || from == silhouettes || from == depth;
}

}  // namespace

FitRequest::From surfaceFrom(const std::optional<PhotographSurface>& surface) {
    if (!surface) return FitRequest::From::network;
    return surface->depthTaken ? FitRequest::From::depth : FitRequest::From::hull;
}

std::optional<PhotographSurface> fitFromHull(Reconstruction& reconstruction, const Camera& space,
                                             std::span<const MaskedView> photographs,
                                             FitRequest::From from, const FitOptions& options,
                                             MeshOperations* device, FitResult& result,
                                             const SurfaceProgress& progress) {
    if (!asksForHull(from, result)) return {};
    if (progress.hull) progress.hull();
    const bool decides = from == FitRequest::From::automatic;
    const bool hollow = from != FitRequest::From::silhouettes;
    const Stopwatch watch;
    const std::vector<MaskedView> usable = fittedViews(photographs, result);
    const std::size_t vertices = options.vertices > 0 ? options.vertices : kHullVertices;
    std::optional<PhotographSurface> surface;
    try {
        bool better = true;
        if (decides) {
            const Verdict verdict = judged(reconstruction, space, usable, options, device);
            better = verdict.forHull();
            result.notes.push_back(verdict.sentence());
        }
        if (better) {
            HullResult hull =
                hullIn(space, usable, vertices, options, hollow ? &reconstruction : nullptr);
            PhotographSurface made{hull.mesh, {}, false, {}};
            if (decides || from == FitRequest::From::depth)
                addDepth(hull, space, usable, vertices, options, progress, made, result);
            take(std::move(hull), space, usable, options, reconstruction, result);
            surface = std::move(made);
        }
    } catch (const InputError& error) {
        result.notes.push_back(fmt::format("No hull, the network's mesh stays: {}", error.what()));
    }
    result.milliseconds += watch.milliseconds();
    return surface;
}

}  // namespace threefold
