#include "engine/sample_steps/fit_from_hull.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/fitting/mesh_levels.h"
#include "engine/fitting/overlap.h"
#include "engine/measures/silhouette.h"
#include "engine/profile/stopwatch.h"
#include "engine/sample_steps/compare_view_masks.h"
#include "engine/sample_steps/fit_reconstruction.h"
#include "engine/stereo/depth_surface.h"
#include "engine/views/left_out_view.h"

namespace threefold {
namespace {

/// Overlap by which the hull may be worse and still win: its mesh is finer, with any topology.
constexpr double kHullTolerance = 0.02;
/// Overlap with the masks that a mesh with depths may lose, as masks may contain background. The
/// limit is higher if sure and strong depths cover most of the surface (all 16 photographs of
/// Middlebury's temple: 0.074). A loss of more than kNotedLoss adds a note.
constexpr double kMaxLoss = 0.06;
constexpr double kMaxLossIfSure = 0.10;
constexpr double kSureAndStrong = 0.6;  ///< fraction of the surface with sure and strong depths
constexpr double kNotedLoss = 0.02;
/// Fraction of the surface with sure depths, below which a note says that the hull stays elsewhere.
constexpr double kMinSure = 0.5;
/// Overlap of the network's mesh below which a hull without hollows is tried first.
constexpr double kPlainHullBelow = 0.92;

Mesh transformed(Mesh mesh, const Camera& from, const Camera& to) {
    for (glm::vec3& vertex : mesh.vertices)
        vertex = glm::vec3(transformBetweenCameras(from, to, glm::dvec3(vertex)));
    return mesh;
}

/// Computes the visual hull, in the reference view's space. `network`: a reconstruction whose
/// fitted mesh adds hollows; null: no hollows.
HullResult hullIn(const Camera& referenceCamera, std::span<const MaskedView> photographs,
                  std::size_t vertices, const FitOptions& options, const Reconstruction* network) {
    HullOptions hullOptions{vertices, options.cancel, options.threads};
    Mesh meshWithHollows;
    if (network != nullptr) {
        meshWithHollows = transformed(*network->fitted, referenceCamera, Camera{});
        hullOptions.meshWithHollows = &meshWithHollows;
    }
    HullResult hull = visualHull(photographs, hullOptions);
    for (Mesh* mesh : {&hull.mesh, &hull.meshWithoutHollows})
        *mesh = transformed(std::move(*mesh), Camera{}, referenceCamera);
    return hull;
}

double meanOverlapWithMasks(const Mesh& mesh, const Camera& referenceCamera,
                            std::span<const MaskedView> photographs, const FitOptions& options) {
    return meanOverlap(compareViewMasks(mesh, referenceCamera, photographs, options.threads,
                                        options.cancel, maskOverlap));
}

/// Overlaps with every third photograph, which the hull does not use.
struct HullComparison {
    double network = 0;
    double hull = 0;
    bool networkFittedToLeftOut = false;

    bool forHull() const { return hull > network - kHullTolerance; }
    std::string sentence() const {
        constexpr std::string_view kLeftOut = "every third photograph, which it has not used";
        if (!forHull())
            return fmt::format(
                "The network's mesh is taken: it agrees better with {} (overlap "
                "{:.3f}, the photographs' hull {:.3f}).",
                kLeftOut, network, hull);
        return fmt::format(
            "The photographs' hull is taken: it agrees {} with {} (overlap {:.3f}, "
            "the network's mesh{} {:.3f}).",
            hull > network ? "better" : "as well", kLeftOut, hull,
            networkFittedToLeftOut ? ", fitted to them," : "", network);
    }
};

/// Compares the hull and the network's mesh on every third photograph. The fitted mesh has used
/// those photographs, so a hull without hollows within kHullTolerance of its overlap wins at once,
/// which saves a second fit (16 photographs of Middlebury's temple, from files to the mesh: 3.3 s
/// instead of 4.6 s). Otherwise a second mesh, fitted without those photographs, is compared with
/// the hull with hollows.
HullComparison compareWithHull(const Reconstruction& reconstruction, const HullFitInput& request) {
    const FitOptions& options = request.options;
    std::vector<MaskedView> used;
    std::vector<MaskedView> leftOut;
    for (std::size_t i = 0; i < request.photographs.size(); ++i)
        (i % 3 == 1 ? leftOut : used).push_back(request.photographs[i]);
    const auto overlap = [&](const Mesh& mesh) {
        return meanOverlapWithMasks(mesh, request.referenceCamera, leftOut, options);
    };
    const auto hullOverlap = [&](const Reconstruction* network) {
        return overlap(
            hullIn(request.referenceCamera, used, kDefaultHullVertices, options, network).mesh);
    };
    const double fittedOverlap = overlap(*reconstruction.fitted);
    if (fittedOverlap < kPlainHullBelow) {
        const HullComparison verdict{fittedOverlap, hullOverlap(nullptr), true};
        if (verdict.forHull()) return verdict;
    }
    Reconstruction trial = reconstruction;
    // The trial fit keeps the refined mesh's number of vertices, whatever was asked: its overlap
    // decides, and finer meshes only take longer.
    SurfaceFitOptions silent{options};
    silent.progress = {};
    silent.leavesOutContradictingViews = false;
    fitReconstruction(trial, request.referenceCamera, used, silent, request.device);
    return {overlap(*trial.fitted), hullOverlap(&trial)};
}

/// Makes the hull the fitted mesh.
void adoptHull(HullResult hull, const HullFitInput& request, Reconstruction& reconstruction,
               FitResult& fit) {
    const std::vector<SilhouetteScore> scores =
        compareViewMasks(hull.mesh, request.referenceCamera, request.photographs,
                         request.options.threads, request.options.cancel, compareMasks);
    for (std::size_t i = 0; i < scores.size(); ++i) fit.agreements[i].after = scores[i];
    std::erase_if(fit.agreements,
                  [&](const FitAgreement& view) { return isLeftOut(hull.leftOut, view.view); });
    std::ranges::move(hull.leftOut, std::back_inserter(fit.leftOut));
    const fitting::MeshLevels levels(hull.mesh.vertices.size(), hull.mesh.faces);
    fit.defectsAfter = meshDefects(levels, hull.mesh.vertices);
    std::ranges::move(hull.notes, std::back_inserter(fit.notes));
    fit.vertices = hull.mesh.vertices;
    reconstruction.fitted = std::move(hull.mesh);
}

/// The photographs that depths can be computed from.
std::vector<const MaskedView*> viewsForDepth(std::span<const MaskedView> photographs,
                                             const HullResult& hull) {
    std::vector<const MaskedView*> views;
    for (const MaskedView& view : photographs)
        if (view.mask && view.photograph.isComplete() && !isLeftOut(hull.leftOut, view.view))
            views.push_back(&view);
    return views;
}

DepthOptions depthOptionsFor(const HullFitInput& request, std::size_t vertices,
                             const HullResult& hull) {
    DepthOptions options;
    options.vertices = vertices;
    options.threads = request.options.threads;
    options.cancel = request.options.cancel;
    options.toleratedCount = hull.toleratedCount;
    options.baseHeight = hull.baseHeight;
    options.progress = request.progress.onDepth;
    options.onMap = request.progress.onMap;
    return options;
}

/// Decision on a mesh with depths.
struct DepthDecision {
    std::string problem = {};             ///< why the hull is kept; empty: the depths are used
    std::vector<std::string> notes = {};  ///< a sentence each, on depths that are used
};

/// Judges a mesh by its overlap with the masks, `before` and `after` depths moved it. No mesh: no
/// `after`.
DepthDecision decideOnDepth(const DepthSurface& depth, double before, std::optional<double> after) {
    const double sureAndStrong = depth.sureFraction * depth.strongFraction;
    if (!after)
        return {
            fmt::format("Depth from photographs is not used, the hull is kept: {:.0f} % of the "
                        "surface has too little texture or is glossy. Matt, patterned surfaces and "
                        "photographs 15° to 30° apart help.",
                        100 * (1 - sureAndStrong))};
    if (*after < before - (sureAndStrong >= kSureAndStrong ? kMaxLossIfSure : kMaxLoss))
        return {
            fmt::format("Depth from photographs is not used, the hull is kept: depth would lower "
                        "the overlap with the masks from {:.3f} to {:.3f}. Check cameras and "
                        "masks; photographs from nearer by help.",
                        before, *after)};
    DepthDecision verdict;
    if (*after < before - kNotedLoss)
        verdict.notes.push_back(fmt::format(
            "With depth from photographs the overlap with the masks falls from {:.3f} to {:.3f}: "
            "photographs see through parts of the masks. Where these hold background, that is "
            "right; where the object has thin parts, compare with the hull alone.",
            before, *after));
    if (depth.sureFraction < kMinSure)
        verdict.notes.push_back(fmt::format(
            "Depth from photographs is sure on {:.0f} % of the surface only; the hull is kept "
            "where texture or photographs are too few. Patterned surfaces and photographs "
            "15° to 30° apart help.",
            100 * depth.sureFraction));
    return verdict;
}

/// Moves the hull's surface to where the photographs agree, unless too little of it is sure.
/// nullopt: there are too few photographs for depths.
std::optional<DepthResult> addDepth(const HullFitInput& request, std::size_t vertices,
                                    HullResult& hull, FitResult& fit) {
    const std::vector<const MaskedView*> views = viewsForDepth(request.photographs, hull);
    if (views.size() < kMinPhotographsForDepth) return std::nullopt;
    const auto inWorld = [&](const Mesh& mesh) {
        return transformed(mesh, request.referenceCamera, Camera{});
    };
    const auto overlapInWorld = [&](const Mesh& mesh) {
        return meanOverlapWithMasks(mesh, Camera{}, request.photographs, request.options);
    };
    DepthOptions options = depthOptionsFor(request, vertices, hull);
    // Starts without hollows: a wrong hollow would stay wherever few depths are sure.
    const Mesh startMeshWithHollows = inWorld(hull.mesh);
    options.startMeshWithHollows = &startMeshWithHollows;
    DepthSurface depth = depthSurface(inWorld(hull.meshWithoutHollows), views, options);
    const bool hasMesh = !depth.mesh.faces.empty();
    DepthDecision verdict =
        decideOnDepth(depth, hasMesh ? overlapInWorld(startMeshWithHollows) : 0,
                      hasMesh ? std::optional(overlapInWorld(depth.mesh)) : std::nullopt);
    if (verdict.problem.empty())
        hull.mesh = transformed(std::move(depth.mesh), Camera{}, request.referenceCamera);
    else
        verdict.notes = {verdict.problem};
    std::ranges::move(verdict.notes, std::back_inserter(fit.notes));
    return DepthResult{.problem = std::move(verdict.problem),
                       .sureFraction = depth.sureFraction,
                       .strongFraction = depth.strongFraction,
                       .maps = std::move(depth.maps),
                       .times = std::move(depth.times),
                       .milliseconds = depth.milliseconds};
}

/// Whether fitFromHull() computes a hull for this source.
bool asksForHull(FitSource from, const FitResult& fit) {
    using enum FitSource;
    if (from == automatic) return fit.agreements.size() >= kMinViewsForHull;
    return from == hull || from == hullWithoutHollows || from == depth;
}

}  // namespace

FitSource sourceOf(const std::optional<HullFit>& fit) {
    if (!fit) return FitSource::network;
    return fit->depthUsed() ? FitSource::depth : FitSource::hull;
}

HullFitResult fitFromHull(const HullFitInput& request, Reconstruction& reconstruction,
                          FitResult& fit) {
    if (!asksForHull(request.source, fit)) return {};
    if (request.progress.onHull) request.progress.onHull();
    const bool isAutomatic = request.source == FitSource::automatic;
    const bool withHollows = request.source != FitSource::hullWithoutHollows;
    const Stopwatch watch;
    const std::vector<MaskedView> usable = fittedViews(request.photographs, fit);
    HullFitInput usableInput = request;
    usableInput.photographs = usable;
    const std::size_t vertices =
        request.options.vertices > 0 ? request.options.vertices : kDefaultHullVertices;
    HullFitResult result;
    try {
        bool useHull = true;
        if (isAutomatic) {
            const HullComparison verdict = compareWithHull(reconstruction, usableInput);
            useHull = verdict.forHull();
            result.choiceReason = verdict.sentence();
        }
        if (useHull) {
            HullResult hull = hullIn(request.referenceCamera, usable, vertices, request.options,
                                     withHollows ? &reconstruction : nullptr);
            HullFit hullFit{hull.mesh};
            if (request.useDepth && (isAutomatic || request.source == FitSource::depth))
                hullFit.depth = addDepth(usableInput, vertices, hull, fit);
            adoptHull(std::move(hull), usableInput, reconstruction, fit);
            result.hullFit = std::move(hullFit);
        }
    } catch (const InputError& error) {
        result.choiceReason.clear();
        fit.notes.push_back(fmt::format("No hull, the network's mesh is kept: {}", error.what()));
    }
    fit.milliseconds += watch.milliseconds();
    return result;
}

}  // namespace threefold
