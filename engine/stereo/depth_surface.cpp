#include "engine/stereo/depth_surface.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/hull/hull_field.h"
#include "engine/hull/isotropic_remeshing.h"
#include "engine/hull/marching_cubes.h"
#include "engine/hull/small_components.h"
#include "engine/order_statistics.h"
#include "engine/profile/stopwatch.h"
#include "engine/raster/camera_depths.h"
#include "engine/silhouettes/silhouette_set.h"
#include "engine/stereo/depth_maps.h"
#include "engine/stereo/depth_votes.h"
#include "engine/stereo/fusion.h"
#include "engine/stereo/hollow_choice.h"
#include "engine/stereo/mesh_distance.h"
#include "engine/stereo/silhouette_bound.h"
#include "engine/stereo/start_prior.h"
#include "engine/stereo/total_variation.h"
#include "engine/stereo/view_dependence.h"

namespace threefold {
namespace stereo {
namespace {

/// Cells of the grid along the start mesh's longest side.
constexpr int kCells = 96;
/// Points added on each side.
constexpr int kMargin = 5;
/// Distances are clamped beyond this many spacings from the silhouettes' surface.
constexpr double kFarCells = 6;
/// Pixels of the object's longest side in the photographs of the last round.
constexpr double kObjectPixels = 256;
constexpr int kMinSide = 48;
/// Truncation of distances, in spacings of the grid and in steps of the depth maps.
constexpr double kTruncation = 3;
constexpr double kTruncationSteps = 1.5;
constexpr float kSmoothness = 0.35F;
constexpr int kVariationSteps = 120;
constexpr double kMinStrongFraction = 0.25;
/// Refinement of a second grid on which the start mesh is sampled, for parts thinner than a
/// spacing.
constexpr int kStartGridRefinement = 2;
/// Vertices of the fine surface before remeshing.
constexpr double kFineVertices = 50'000;

/// One round of matching.
struct MatchingRound {
    StereoMatchOptions match;
    VoteRules votes;
    /// Depth steps by which the surface is moved towards the cameras, so that parts no thicker than
    /// a step of the coarse maps survive into the next round.
    float surfaceOffsetSteps;
    /// Whether the start mesh is a strong prior near its surface where there are no votes.
    bool keepsUnobservedStart;
    double progress;  ///< progress after the depth maps, 0…1
};

/// First round: many depths, in photographs of half the size.
MatchingRound coarseRound() {
    MatchingRound round{};
    round.match.sweep = {.labelCount = 48,
                         .firstLabel = -2,
                         .stepPixels = 1,
                         .orientationCount = 5,
                         .windowRadius = 2};
    round.votes.minRegionPixels = 7;
    round.surfaceOffsetSteps = 1;
    round.progress = 0.4;
    return round;
}

/// Second round: few depths around the surface of the first.
MatchingRound fineRound() {
    MatchingRound round{};
    round.match.sweep = {.labelCount = 17,
                         .firstLabel = -8,
                         .stepPixels = 1,
                         .orientationCount = 1,
                         .windowRadius = 3};
    round.votes = {.fullMargin = 0.30F, .minRegionPixels = 19};
    round.keepsUnobservedStart = true;
    round.progress = 0.8;
    return round;
}

/// Stricter rules where the brightness depends on the view (viewDependence()): highlights, and
/// light that moves with the camera, look like surfaces in many views at once, but with small
/// margins.
VoteRules stricterRules(VoteRules rules, double dependence) {
    constexpr double kFixed = 0.1;    // up to here: fixed light, a matt surface
    constexpr double kTurning = 0.2;  // from here on: the strictest rules
    const auto caution =
        static_cast<float>(std::clamp((dependence - kFixed) / (kTurning - kFixed), 0.0, 1.0));
    if (caution == 0) return rules;
    rules.minMargin = std::lerp(rules.minMargin, 0.10F, caution);
    rules.fullMargin = std::lerp(rules.fullMargin, 0.35F, caution);
    rules.minStrongFraction = 0.3F * caution;
    return rules;
}

[[noreturn]] void refuse(std::string problem, std::string remedy) {
    throw InputError({"depth from photographs", "", std::move(problem), std::move(remedy)});
}

const simd::SweepKernels& kernelsNamed(std::string_view name) {
    for (const simd::SweepKernels* kernels : simd::runnableSweepKernels())
        if (name.empty() || kernels->name == name) return *kernels;
    refuse(fmt::format("instructions '{}' are unknown, or this processor lacks them", name),
           "Leave them out: the fastest are taken.");
}

/// Resources of the steps, and the elapsed time of each.
struct Execution {
    const DepthOptions& options;
    const simd::SweepKernels& kernels;
    int threads;
    std::vector<DepthStepTime> times;

    template <class Work>
    auto timed(std::string_view step, const Work& work) {
        if (options.cancel.stop_requested()) throw Cancelled();
        const Stopwatch watch;
        auto result = work();
        const auto entry = std::ranges::find(times, step, &DepthStepTime::step);
        if (entry == times.end())
            times.push_back({step, watch.milliseconds()});
        else
            entry->milliseconds += watch.milliseconds();
        return result;
    }

    void report(double fraction) const {
        if (options.progress) options.progress(fraction);
    }
};

/// Side of the views in pixels, such that the object's longest side has kObjectPixels.
int sideOfViews(const Mesh& start, std::span<const MaskedView* const> photographs) {
    double fraction = 0;  // object's longest side by the picture's; maximum over the views
    int maxWidth = 0;
    for (const MaskedView* view : photographs) {
        const StereoProjection projection(view->camera, kInputSide);
        Box2d box;
        for (const glm::vec3& vertex : start.vertices)
            box.include(glm::dvec2(projection.project(glm::dvec3(vertex))));
        const glm::dvec2 size = box.max - box.min;
        fraction = std::max({fraction, size.x / kInputSide, size.y / kInputSide});
        maxWidth = std::max(maxWidth, view->photograph.width);
    }
    const double side = std::min<double>(maxWidth, kObjectPixels / std::clamp(fraction, 0.05, 1.0));
    return std::max(kMinSide, 2 * static_cast<int>(std::lround(side / 2)));
}

std::vector<StereoView> stereoViews(const Mesh& start,
                                    std::span<const MaskedView* const> photographs,
                                    const Execution& run) {
    const int side = sideOfViews(start, photographs);
    std::vector<std::optional<StereoView>> results(photographs.size());
    parallelFor(run.threads, results.size(), run.options.cancel,
                [&](std::size_t i, std::size_t /*thread*/) {
                    const MaskedView& photograph = *photographs[i];
                    results[i] = stereoView(photograph.camera, photograph.photograph,
                                            *photograph.mask, side);
                    results[i]->view = photograph.view;
                });
    std::vector<StereoView> views;
    views.reserve(results.size());
    for (std::optional<StereoView>& view : results) views.push_back(std::move(*view));
    return views;
}

std::vector<StereoView> halvedViews(std::span<const StereoView> views) {
    std::vector<StereoView> halves;
    halves.reserve(views.size());
    for (const StereoView& view : views) halves.push_back(halved(view));
    return halves;
}

SilhouetteBound boundOf(const VoxelGrid& grid, std::span<const MaskedView* const> photographs,
                        int side, const Execution& run) {
    // Five pixels of a mask per cell of the grid suffice.
    const auto distanceOf = [&](std::size_t i) {
        return SilhouetteField(photographs[i]->camera,
                               withMaxSide(*photographs[i]->mask, 2 * side));
    };
    const SilhouetteSet silhouettes(photographs.size(), distanceOf, run.threads,
                                    run.options.cancel);
    hull::HullField field(silhouettes.all(),
                          std::min(run.options.toleratedCount, photographs.size() - 1));
    if (run.options.baseHeight) field.cutBelow(*run.options.baseHeight);
    return silhouetteBound(grid, field, static_cast<float>(kFarCells * grid.spacing), run.threads,
                           run.options.cancel);
}

/// Depth maps of a round, and their support.
struct MatchResult {
    std::vector<DepthMap> maps;
    std::vector<ViewSupport> support;
    float labelSpacing = 0;  ///< median of the maps' label spacings
};

MatchResult matchViews(std::span<const StereoView> views, const Mesh& surface,
                       const MatchingRound& round, double startProgress, Execution& run) {
    MatchResult matches;
    matches.maps = run.timed("sweep and aggregation", [&] {
        std::size_t finished = 0;
        return depthMaps(
            views, surface, round.match, run.kernels, run.threads, run.options.cancel,
            [&](std::size_t view, const DepthMap& map) {
                const double fraction = double(++finished) / double(views.size());
                run.report(startProgress + fraction * (round.progress - startProgress));
                if (run.options.onMap)
                    run.options.onMap({views[view].view, views[view].side, map.depth});
            });
    });
    matches.support = run.timed("agreement", [&] {
        return viewSupports(views, matches.maps, run.threads, run.options.cancel);
    });
    std::vector<float> spacings;
    for (const DepthMap& map : matches.maps) spacings.push_back(map.labelSpacing);
    matches.labelSpacing = upperMedian(std::move(spacings));
    return matches;
}

/// Votes of all views.
std::vector<DepthVotes> allVotes(std::span<const StereoView> views, const MatchResult& matches,
                                 const VoteRules& rules, const std::stop_token& cancel) {
    std::vector<DepthVotes> votes;
    for (std::size_t i = 0; i < views.size(); ++i) {
        if (cancel.stop_requested()) throw Cancelled();
        votes.push_back(votesOf(views[i], matches.maps[i], matches.support[i], rules));
    }
    return votes;
}

/// Values at the points of a grid.
struct Volume {
    const VoxelGrid& grid;
    std::vector<float> values;

    float at(glm::dvec3 point, float outside) const {
        return interpolated(grid, values, point, outside);
    }
};

Volume distanceTo(const Mesh& mesh, const VoxelGrid& grid, double maxDistance,
                  const Execution& run) {
    return {grid, signedDistance(grid, mesh, static_cast<float>(maxDistance), run.threads,
                                 run.options.cancel)};
}

/// The start that depths are added to: with the hollows of DepthOptions::startMeshWithHollows that
/// the photographs do not contradict.
struct ChosenStart {
    Volume distance;
    /// weightsWithoutHollows(); empty without DepthOptions::startMeshWithHollows.
    std::vector<float> weightWithoutHollows;
};

ChosenStart chooseStart(const Volume& plain, std::span<const StereoView> views,
                        const MatchResult& matches, const Execution& run) {
    const Mesh* const mesh = run.options.startMeshWithHollows;
    if (mesh == nullptr) return {plain, {}};
    const VoxelGrid& grid = plain.grid;
    ChosenStart chosen{distanceTo(*mesh, grid, kMargin * grid.spacing, run), {}};
    std::vector<std::vector<float>> depths(views.size());
    parallelFor(
        run.threads, depths.size(), run.options.cancel, [&](std::size_t i, std::size_t /*thread*/) {
            depths[i] = cameraDepths(*mesh, views[i].camera, views[i].side, run.options.cancel);
        });
    chosen.weightWithoutHollows = weightsWithoutHollows(
        grid, {plain.values, chosen.distance.values, depths},
        {views, matches.maps, matches.support}, run.threads, run.options.cancel);
    for (std::size_t i = 0; i < plain.values.size(); ++i) {
        float& value = chosen.distance.values[i];
        value = std::lerp(value, plain.values[i], chosen.weightWithoutHollows[i]);
    }
    return chosen;
}

/// The same start on a finer grid, clamped to ±`maxDistance`.
Volume chosenOnFinerGrid(const VoxelGrid& fine, const Mesh& startMesh, const ChosenStart& start,
                         double maxDistance, const Execution& run) {
    Volume distance = distanceTo(startMesh, fine, maxDistance, run);
    if (run.options.startMeshWithHollows == nullptr) return distance;
    const Volume hollow = distanceTo(*run.options.startMeshWithHollows, fine, maxDistance, run);
    forEachPoint(fine, run.threads, run.options.cancel, [&](const glm::ivec3& at) {
        const std::size_t i = fine.index(at);
        float& value = distance.values[i];
        if (hollow.values[i] == value) return;
        value = std::lerp(
            hollow.values[i], value,
            interpolated(start.distance.grid, start.weightWithoutHollows, fine.position(at), 0));
    });
    return distance;
}

/// Signed distance to the surface that depths and start agree on, in object units.
Volume fusedField(std::span<const StereoView> views, const MatchResult& matches,
                  const MatchingRound& round, const SilhouetteBound& bound, const Volume& start,
                  Execution& run) {
    const VoxelGrid& grid = start.grid;
    const auto truncation =
        static_cast<float>(std::clamp(kTruncationSteps * matches.labelSpacing,
                                      kTruncation * grid.spacing, kFarCells * grid.spacing));
    std::vector<float> unobserved;
    const FusedDistance fusion = run.timed("fusion", [&] {
        const std::vector<DepthVotes> votes =
            allVotes(views, matches, round.votes, run.options.cancel);
        FusedDistance fused = fuse({.grid = grid,
                                    .inside = bound.inside,
                                    .views = views,
                                    .maps = matches.maps,
                                    .votes = votes,
                                    .truncation = truncation,
                                    .surfaceOffsetSteps = round.surfaceOffsetSteps},
                                   run.threads, run.options.cancel);
        unobserved = addStartPrior({start.values, truncation, round.keepsUnobservedStart},
                                   bound.inside, fused);
        return fused;
    });
    return run.timed("total variation", [&] {
        const std::vector<float> smooth = minimiseTotalVariation(
            {grid, bound.inside, fusion.distance, fusion.weight, kSmoothness}, kVariationSteps,
            run.threads, run.options.cancel);
        Volume field{grid, bound.distance};
        for (std::size_t i = 0; i < smooth.size(); ++i) {
            float& value = field.values[i];
            if (bound.inside[i] != 0) value = std::max(value, truncation * smooth[i]);
            // Smoothing shrinks thin parts away: without votes, the start mesh itself stays.
            const float maxDistance = truncation;
            value +=
                unobserved[i] * (std::clamp(start.values[i], -maxDistance, maxDistance) - value);
        }
        return field;
    });
}

hull::MarchingCubesOptions marchingCubesOptions(const VoxelGrid& grid, const Execution& run) {
    const glm::ivec3 last = grid.first + grid.size;
    const int radius =
        std::max({-grid.first.x, -grid.first.y, -grid.first.z, last.x, last.y, last.z});
    hull::MarchingCubesOptions options;
    options.spacing = grid.spacing;
    options.radius = grid.spacing * radius;
    options.maxSlope = 2;  // total variation makes steps
    options.threads = run.threads;
    options.cancel = run.options.cancel;
    return options;
}

float outsideOf(const VoxelGrid& grid) {
    return static_cast<float>(kFarCells * grid.spacing);
}

Mesh surfaceOf(const Volume& field, const Execution& run) {
    const float outside = outsideOf(field.grid);
    Mesh surface = hull::marchingCubes(
        [&](glm::dvec3 point, float /*maxDistance*/) { return field.at(point, outside); },
        marchingCubesOptions(field.grid, run));
    hull::dropSmallComponents(surface);
    return surface;
}

/// Extracts the field's surface with details of the start mesh that are too fine for the field's
/// grid: near the start's surface, adds the difference between the start's distances on a finer
/// grid and on the field's.
Mesh remeshedSurfaceOf(const Volume& field, const ChosenStart& start, const Mesh& startMesh,
                       Execution& run) {
    const VoxelGrid fine = VoxelGrid::around(startMesh, kStartGridRefinement * kCells, kMargin);
    const auto near = static_cast<float>(2 * field.grid.spacing);
    const Volume startFine =
        run.timed("start", [&] { return chosenOnFinerGrid(fine, startMesh, start, near, run); });
    const float outside = outsideOf(field.grid);
    const hull::DistanceField at = [&](glm::dvec3 point, float /*maxDistance*/) {
        const float value = field.at(point, outside);
        const float detailed = startFine.at(point, near);
        const float closeness = std::clamp(2 - 2 * std::abs(detailed) / near, 0.0F, 1.0F);
        return closeness > 0 ? value + closeness * (detailed - start.distance.at(point, outside))
                             : value;
    };
    Mesh surface = run.timed("surface", [&] {
        Mesh result = hull::marchingCubesWithVertexCount(at, kFineVertices,
                                                         marchingCubesOptions(field.grid, run));
        hull::dropSmallComponents(result);
        return result;
    });
    if (surface.faces.empty()) return surface;
    return run.timed("even mesh", [&] {
        return hull::remeshIsotropically(std::move(surface), run.options.vertices, at, run.threads,
                                         run.options.cancel);
    });
}

/// Depth maps reduced to the depths with votes.
std::vector<ViewDepthMap> sureDepths(std::span<const StereoView> views, const MatchResult& matches,
                                     std::span<const DepthVotes> votes) {
    std::vector<ViewDepthMap> maps;
    for (std::size_t i = 0; i < views.size(); ++i) {
        ViewDepthMap depths{views[i].view, views[i].side, matches.maps[i].depth};
        for (std::size_t pixel = 0; pixel < depths.depth.size(); ++pixel)
            if (!(votes[i].weight[pixel] > 0)) depths.depth[pixel] = 0;
        maps.push_back(std::move(depths));
    }
    return maps;
}

/// Sure depths of all views and their fractions, without a mesh.
DepthSurface assessedDepths(std::span<const StereoView> views, const MatchResult& matches,
                            VoteRules rules, const std::stop_token& cancel) {
    const std::vector<DepthVotes> votes = allVotes(views, matches, rules, cancel);
    DepthSurface result;
    for (const DepthVotes& view : votes) {
        result.sureFraction += view.sureFraction / static_cast<double>(votes.size());
        result.strongFraction += view.strongFraction / static_cast<double>(votes.size());
    }
    result.maps = sureDepths(views, matches, votes);
    return result;
}

/// The steps of depthSurface(), after its arguments were checked.
DepthSurface surfaceByDepths(const Mesh& startMesh, std::span<const MaskedView* const> photographs,
                             Execution& run) {
    const std::vector<StereoView> views =
        run.timed("pictures", [&] { return stereoViews(startMesh, photographs, run); });
    const std::vector<StereoView> halves =
        run.timed("pictures", [&] { return halvedViews(views); });
    const VoxelGrid grid = VoxelGrid::around(startMesh, kCells, kMargin);
    const SilhouetteBound bound = run.timed(
        "silhouettes", [&] { return boundOf(grid, photographs, views.front().side, run); });
    const Volume plain = run.timed(
        "start", [&] { return distanceTo(startMesh, grid, kMargin * grid.spacing, run); });

    const MatchingRound coarse = coarseRound();
    MatchingRound fine = fineRound();
    Mesh surface = run.timed("surface", [&] { return surfaceOf({grid, bound.distance}, run); });
    const MatchResult coarseMaps = matchViews(halves, surface, coarse, 0, run);
    const ChosenStart start =
        run.timed("start", [&] { return chooseStart(plain, halves, coarseMaps, run); });
    const Volume coarseField = fusedField(halves, coarseMaps, coarse, bound, start.distance, run);
    surface = run.timed("surface", [&] { return surfaceOf(coarseField, run); });
    const MatchResult fineMaps = matchViews(views, surface, fine, coarse.progress, run);

    const double dependence =
        run.timed("light", [&] { return viewDependence(views, fineMaps.maps, surface); });
    fine.votes = stricterRules(fine.votes, dependence);
    DepthSurface result = assessedDepths(
        views, fineMaps, {.minRegionPixels = fine.votes.minRegionPixels}, run.options.cancel);
    if (run.options.useWeakDepths || result.strongFraction >= kMinStrongFraction) {
        const Volume field = fusedField(views, fineMaps, fine, bound, start.distance, run);
        result.mesh = remeshedSurfaceOf(field, start, startMesh, run);
    }
    return result;
}

}  // namespace
}  // namespace stereo

DepthSurface depthSurface(const Mesh& start, std::span<const MaskedView* const> views,
                          const DepthOptions& options) {
    const Stopwatch watch;
    stereo::Execution run{options,
                          stereo::kernelsNamed(options.instructions),
                          resolveThreadCount(options.threads),
                          {}};
    if (views.size() < kMinPhotographsForDepth)
        stereo::refuse(fmt::format("{} photographs, expected {} or more", views.size(),
                                   kMinPhotographsForDepth),
                       "Take more photographs around the object.");
    if (start.faces.empty()) stereo::refuse("the start mesh has no faces", "");
    DepthSurface result = stereo::surfaceByDepths(start, views, run);
    run.report(1);
    result.times = std::move(run.times);
    result.milliseconds = watch.milliseconds();
    return result;
}

}  // namespace threefold
