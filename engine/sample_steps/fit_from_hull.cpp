#include "engine/sample_steps/fit_from_hull.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
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

/// Overlap by which the hull may be worse and still win, because the hull's mesh is finer and can
/// have any topology.
constexpr double kHullTolerance = 0.02;
/// Overlap with the masks that a mesh with depths may lose, as masks may contain background. The
/// limit is higher if sure and strong depths cover most of the surface (all 16 photographs of
/// Middlebury's temple: 0.074). A loss of more than kNotedLoss adds a note.
constexpr double kMaxLoss = 0.06;
constexpr double kMaxLossIfSure = 0.10;
constexpr double kSureAndStrong = 0.6;  ///< fraction of the surface with sure and strong depths
constexpr double kNotedLoss = 0.02;
/// Fraction of the surface with sure depths below which a note says that the rest of the hull is
/// kept.
constexpr double kMinSure = 0.5;
/// Overlap of the network's mesh below which a hull without hollows is tried first.
constexpr double kPlainHullBelow = 0.92;

Mesh transformed(Mesh mesh, const Pose& from, const Pose& to) {
    for (glm::vec3& vertex : mesh.vertices)
        vertex = glm::vec3(transformBetweenCameras(from, to, glm::dvec3(vertex)));
    return mesh;
}

/// Computes the visual hull, in the reference view's space. `fittedMesh`: the network's mesh after
/// its fit, whose hollows are added; null: no hollows.
HullResult hullIn(const Camera& referenceCamera, std::span<const MaskedView> photographs,
                  std::size_t vertices, const FitOptions& options, const Mesh* fittedMesh) {
    HullOptions hullOptions{vertices, options.cancel, options.threads};
    Mesh meshWithHollows;
    if (fittedMesh != nullptr) {
        meshWithHollows = transformed(*fittedMesh, referenceCamera, kWorldSpace);
        hullOptions.meshWithHollows = &meshWithHollows;
    }
    HullResult hull = visualHull(photographs, hullOptions);
    for (Mesh* mesh : {&hull.mesh, &hull.meshWithoutHollows})
        *mesh = transformed(std::move(*mesh), kWorldSpace, referenceCamera);
    return hull;
}

double meanOverlapWithMasks(const Mesh& mesh, const Pose& space,
                            std::span<const MaskedView> photographs, const FitOptions& options) {
    return meanOverlap(
        compareViewMasks(mesh, space, photographs, options.threads, options.cancel, maskOverlap));
}

/// Overlaps of the network's mesh and of the hull with every third photograph, which the hull does
/// not use.
struct HullComparison {
    double network = 0;
    double hull = 0;
    std::size_t leftOutCount = 0;  ///< number of these photographs, at least two
    bool networkFittedToLeftOut = false;

    bool forHull() const { return hull > network - kHullTolerance; }
    std::string sentence() const {
        if (!forHull())
            return fmt::format(
                "Chose the network's mesh: on the {} photographs held out it overlaps the masks by "
                "{:.3f}, the photographs' hull by {:.3f}.",
                leftOutCount, network, hull);
        return fmt::format(
            "Chose the photographs' hull: on the {} photographs held out it overlaps the masks by "
            "{:.3f}, the network's mesh{} by {:.3f}{}.",
            leftOutCount, hull, networkFittedToLeftOut ? ", which was fitted to them," : "",
            network,
            hull > network
                ? std::string()
                : fmt::format(" (a difference below {} favours the hull)", kHullTolerance));
    }
};

/// Compares the hull and the network's mesh on every third photograph. `fittedMesh` has used those
/// photographs: if the mesh's overlap is below kPlainHullBelow, a hull without hollows is tried
/// first, and wins if the hull's overlap is less than kHullTolerance worse. This saves a second fit
/// (16 photographs of Middlebury's temple, from files to the mesh: 3.3 s instead of 4.6 s).
/// Otherwise a second mesh, fitted without those photographs, is compared with the hull with
/// hollows.
HullComparison compareWithHull(const Reconstruction& reconstruction, const Mesh& fittedMesh,
                               const PhotoFitInput& input) {
    const FitOptions& options = input.options;
    std::vector<MaskedView> used;
    std::vector<MaskedView> leftOut;
    for (std::size_t i = 0; i < input.photographs.size(); ++i)
        (i % 3 == 1 ? leftOut : used).push_back(input.photographs[i]);
    const auto overlap = [&](const Mesh& mesh) {
        return meanOverlapWithMasks(mesh, input.referenceCamera, leftOut, options);
    };
    const auto hullOverlap = [&](const Mesh* meshWithHollows) {
        return overlap(
            hullIn(input.referenceCamera, used, kDefaultHullVertices, options, meshWithHollows)
                .mesh);
    };
    const double fittedOverlap = overlap(fittedMesh);
    if (fittedOverlap < kPlainHullBelow) {
        const HullComparison comparison{fittedOverlap, hullOverlap(nullptr), leftOut.size(), true};
        if (comparison.forHull()) return comparison;
    }
    // The trial fit keeps the refined mesh's number of vertices, whatever number was asked: only
    // the overlap of the trial mesh is needed, and finer meshes take longer.
    FitOptions silent = input.fitOptions();
    silent.progress = {};
    silent.leavesOutContradictingViews = false;
    const Mesh trial =
        fitReconstruction(reconstruction, input.referenceCamera, used, silent, 0, input.operations)
            .mesh;
    return {overlap(trial), hullOverlap(&trial), leftOut.size()};
}

/// Makes the hull the mesh of `fit`, which fitted the network's mesh to the photographs of `input`.
void useHull(FittedMesh& fit, HullResult hull, const PhotoFitInput& input) {
    const std::vector<SilhouetteScore> scores =
        compareViewMasks(hull.mesh, input.referenceCamera, input.photographs, input.options.threads,
                         input.options.cancel, compareMasks);
    std::vector<FitAgreement> ofHull;
    for (std::size_t i = 0; i < scores.size(); ++i)
        if (const int view = input.photographs[i].view; !isLeftOut(hull.leftOut, view))
            ofHull.push_back({view, {}, scores[i]});
    const fitting::MeshLevels levels(hull.mesh.vertices.size(), hull.mesh.faces);
    const MeshDefects defects = meshDefects(levels, hull.mesh.vertices);
    FitResult& result = fit.result;
    result.agreements = joinedAgreements(result.agreements, ofHull);
    std::ranges::move(hull.leftOut, std::back_inserter(result.leftOut));
    std::ranges::move(hull.notes, std::back_inserter(fit.notes));
    result.vertices = hull.mesh.vertices;
    result.defectsAfter = defects;
    result.isDiscarded = false;
    fit.mesh = std::move(hull.mesh);
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

DepthOptions depthOptionsFor(const PhotoFitInput& input, std::size_t vertices,
                             const HullResult& hull) {
    DepthOptions options;
    options.vertices = vertices;
    options.threads = input.options.threads;
    options.cancel = input.options.cancel;
    options.toleratedCount = hull.toleratedCount;
    options.baseHeight = hull.baseHeight;
    options.progress = input.hullProgress.onDepth;
    options.onMap = input.hullProgress.onMap;
    return options;
}

/// Decision on a mesh with depths.
struct DepthDecision {
    std::string problem = {};             ///< why the hull is kept; empty: the depths are used
    std::vector<std::string> notes = {};  ///< a sentence each, on depths that are used
};

/// Overlaps of a mesh with the masks, before and after depths moved it.
struct DepthOverlaps {
    double before;
    double after;
};

/// Judges the mesh of `depth` by its overlaps, which are nullopt if there is no mesh.
DepthDecision decideOnDepth(const DepthSurface& depth,
                            const std::optional<DepthOverlaps>& overlaps) {
    const double sureAndStrong = depth.sureFraction * depth.strongFraction;
    if (!overlaps)
        return {
            fmt::format("Depth from photographs is not used, the hull is kept: {:.0f} % of the "
                        "surface has too little texture or is glossy. Matt, patterned surfaces and "
                        "photographs 15° to 30° apart help.",
                        100 * (1 - sureAndStrong))};
    const auto [before, after] = *overlaps;
    if (after < before - (sureAndStrong >= kSureAndStrong ? kMaxLossIfSure : kMaxLoss))
        return {
            fmt::format("Depth from photographs is not used, the hull is kept: depth would lower "
                        "the overlap with the masks from {:.3f} to {:.3f}. Check cameras and "
                        "masks; photographs from nearer by help.",
                        before, after)};
    DepthDecision decision;
    if (after < before - kNotedLoss)
        decision.notes.push_back(fmt::format(
            "With depth from photographs the overlap with the masks falls from {:.3f} to {:.3f}: "
            "photographs see through parts of the masks. Where these hold background, that is "
            "right; where the object has thin parts, compare with the hull alone.",
            before, after));
    if (depth.sureFraction < kMinSure)
        decision.notes.push_back(fmt::format(
            "Depth from photographs is sure on {:.0f} % of the surface only; the hull is kept "
            "where texture or photographs are too few. Patterned surfaces and photographs "
            "15° to 30° apart help.",
            100 * depth.sureFraction));
    return decision;
}

/// Depths of the photographs, and the hull's mesh as moved to these depths.
struct DepthMove {
    Mesh mesh;  ///< in the reference view's space; without vertices unless `depth` is used
    DepthResult depth;
    std::vector<std::string> notes;  ///< one sentence each
};

/// Moves the hull's surface to where the photographs agree; keeps the hull if decideOnDepth() finds
/// a problem. nullopt: there are too few photographs for depths.
std::optional<DepthMove> moveToDepth(const PhotoFitInput& input, std::size_t vertices,
                                     const HullResult& hull) {
    const std::vector<const MaskedView*> views = viewsForDepth(input.photographs, hull);
    if (views.size() < kMinPhotographsForDepth) return std::nullopt;
    const auto inWorld = [&](const Mesh& mesh) {
        return transformed(mesh, input.referenceCamera, kWorldSpace);
    };
    const auto overlapInWorld = [&](const Mesh& mesh) {
        return meanOverlapWithMasks(mesh, kWorldSpace, input.photographs, input.options);
    };
    DepthOptions options = depthOptionsFor(input, vertices, hull);
    // Starts without hollows: a wrong hollow would stay wherever few depths are sure.
    const Mesh startMeshWithHollows = inWorld(hull.mesh);
    options.startMeshWithHollows = &startMeshWithHollows;
    DepthSurface depth = depthSurface(inWorld(hull.meshWithoutHollows), views, options);
    std::optional<DepthOverlaps> overlaps;
    if (!depth.mesh.faces.empty())
        overlaps = {overlapInWorld(startMeshWithHollows), overlapInWorld(depth.mesh)};
    DepthDecision decision = decideOnDepth(depth, overlaps);
    DepthMove move;
    if (decision.problem.empty()) {
        move.mesh = transformed(std::move(depth.mesh), kWorldSpace, input.referenceCamera);
        move.notes = std::move(decision.notes);
    } else {
        move.notes = {decision.problem};
    }
    move.depth = {.problem = std::move(decision.problem),
                  .sureFraction = depth.sureFraction,
                  .strongFraction = depth.strongFraction,
                  .maps = std::move(depth.maps),
                  .times = std::move(depth.times),
                  .milliseconds = depth.milliseconds};
    return move;
}

/// Whether fitFromHull() computes a hull for this source.
bool asksForHull(FitSource from, const FitResult& fit) {
    using enum FitSource;
    if (from == automatic) return fit.agreements.size() >= kMinViewsForHull;
    return from == hull || from == hullWithoutHollows || from == depth;
}

}  // namespace

FitOptions PhotoFitInput::fitOptions() const {
    FitOptions made = options;
    made.photometric = fit.photometric;
    return made;
}

FittedMesh fitFromHull(const PhotoFitInput& input, const Reconstruction& reconstruction,
                       FittedMesh networkFit) {
    const FitSource source = input.fit.source;
    FittedMesh fit = std::move(networkFit);
    if (!asksForHull(source, fit.result)) return fit;
    if (input.hullProgress.onHull) input.hullProgress.onHull();
    const bool isAutomatic = source == FitSource::automatic;
    const bool withHollows = source != FitSource::hullWithoutHollows;
    const Stopwatch watch;
    const std::vector<MaskedView> usable = fittedViews(input.photographs, fit.result);
    PhotoFitInput usableInput = input;
    usableInput.photographs = usable;
    const std::size_t vertices = input.fit.vertices > 0 ? input.fit.vertices : kDefaultHullVertices;
    try {
        std::optional<HullFit> hullFit;
        std::string choiceReason;
        bool takesHull = true;
        if (isAutomatic) {
            const HullComparison comparison =
                compareWithHull(reconstruction, fit.mesh, usableInput);
            takesHull = comparison.forHull();
            choiceReason = comparison.sentence();
        }
        if (takesHull) {
            HullResult hull = hullIn(input.referenceCamera, usable, vertices, input.options,
                                     withHollows ? &fit.mesh : nullptr);
            hullFit.emplace(HullFit{hull.mesh});
            std::optional<DepthMove> moved;
            if (mayUseDepth(input.sample, source)) moved = moveToDepth(usableInput, vertices, hull);
            if (moved) {
                hull.notes.insert(hull.notes.begin(), moved->notes.begin(), moved->notes.end());
                hullFit->depth = std::move(moved->depth);
                if (hullFit->depthUsed()) hull.mesh = std::move(moved->mesh);
            }
            useHull(fit, std::move(hull), usableInput);
        }
        fit.hullFit = std::move(hullFit);
        fit.choiceReason = std::move(choiceReason);
    } catch (const InputError& error) {
        fit.notes.push_back(fmt::format("No hull, the network's mesh is kept: {}", error.what()));
    }
    fit.result.milliseconds += watch.milliseconds();
    return fit;
}

}  // namespace threefold
