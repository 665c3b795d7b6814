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
#include "engine/profile/stopwatch.h"
#include "engine/raster/camera_depths.h"
#include "engine/silhouettes/silhouette_set.h"
#include "engine/stereo/depth_field.h"
#include "engine/stereo/depth_maps.h"
#include "engine/stereo/depth_run.h"
#include "engine/stereo/depth_votes.h"
#include "engine/stereo/matching_rounds.h"
#include "engine/stereo/silhouette_bound.h"
#include "engine/stereo/view_dependence.h"

namespace threefold {
namespace stereo {
namespace {

/// Cells of the grid along the start mesh's longest side.
constexpr int kCells = 96;
/// Grid points added on each side of the start mesh.
constexpr int kGridMargin = 5;
/// Pixels of the object's longest side in the photographs of the last round.
constexpr double kObjectPixels = 256;
constexpr int kMinSide = 48;
/// Factor by which a second grid is finer, on which the start mesh is sampled for parts thinner
/// than a spacing.
constexpr int kStartGridRefinement = 2;
/// Vertices of the fine surface before remeshing.
constexpr double kFineVertices = 50'000;

[[noreturn]] void refuse(std::string problem, std::string remedy) {
    throw InputError({"depth from photographs", "", std::move(problem), std::move(remedy)});
}

const simd::SweepKernels& kernelsNamed(std::string_view name) {
    for (const simd::SweepKernels* kernels : simd::runnableSweepKernels())
        if (name.empty() || kernels->name == name) return *kernels;
    refuse(fmt::format("instructions '{}' are unknown, or this processor lacks them", name),
           "Omit them: the fastest are then used.");
}

/// Side of the views in pixels, such that the object's longest side has kObjectPixels.
int sideOfViews(const Mesh& start, std::span<const MaskedView* const> photographs) {
    double fraction = 0;  // object's longest side ÷ the picture's; maximum over the views
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
                                    const DepthRun& run) {
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
                        int side, const DepthRun& run) {
    // At twice the views' side, a cell of the grid has about five pixels of a mask on a side
    // (2 kObjectPixels / kCells), which suffice.
    const auto silhouetteOf = [&](std::size_t i) {
        return SilhouetteField(photographs[i]->camera,
                               withMaxSide(*photographs[i]->mask, 2 * side));
    };
    const SilhouetteSet silhouettes(photographs.size(), silhouetteOf, run.threads,
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

    MatchedViews with(std::span<const StereoView> views) const { return {views, maps, support}; }
};

MatchResult matchViews(std::span<const StereoView> views, const Mesh& surface,
                       const MatchingRound& round, double startProgress, DepthRun& run) {
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
    return matches;
}

hull::MarchingCubesOptions marchingCubesOptions(const VoxelGrid& grid, const DepthRun& run) {
    const glm::ivec3 last = grid.first + grid.size;
    const int radius =
        std::max({-grid.first.x, -grid.first.y, -grid.first.z, last.x, last.y, last.z});
    hull::MarchingCubesOptions options;
    options.spacing = grid.spacing;
    options.radius = grid.spacing * radius;
    options.maxSlope = 2;  // more than 1, as total variation makes steps
    options.threads = run.threads;
    options.cancel = run.options.cancel;
    return options;
}

float outsideOf(const VoxelGrid& grid) {
    return static_cast<float>(kFarCells * grid.spacing);
}

Mesh surfaceOf(const GridField& field, const DepthRun& run) {
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
Mesh remeshedSurfaceOf(const GridField& field, const ChosenStart& start, const Mesh& startMesh,
                       DepthRun& run) {
    const VoxelGrid fine = VoxelGrid::around(startMesh, kStartGridRefinement * kCells, kGridMargin);
    const auto near = static_cast<float>(2 * field.grid.spacing);
    const GridField startFine =
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
std::vector<ViewDepthMap> sureDepths(const MatchedViews& matched,
                                     std::span<const DepthVotes> votes) {
    std::vector<ViewDepthMap> maps;
    for (std::size_t i = 0; i < votes.size(); ++i) {
        const StereoView& view = matched.views[i];
        ViewDepthMap depths{view.view, view.side, matched.maps[i].depth};
        for (std::size_t pixel = 0; pixel < depths.depth.size(); ++pixel)
            if (!(votes[i].weight[pixel] > 0)) depths.depth[pixel] = 0;
        maps.push_back(std::move(depths));
    }
    return maps;
}

/// Sure depths of all views and their fractions, without a mesh.
DepthSurface assessedDepths(const MatchedViews& matched, const VoteRules& rules,
                            const std::stop_token& cancel) {
    const std::vector<DepthVotes> votes = allVotes(matched, rules, cancel);
    DepthSurface result;
    for (const DepthVotes& view : votes) {
        result.sureFraction += view.sureFraction / static_cast<double>(votes.size());
        result.strongFraction += view.strongFraction / static_cast<double>(votes.size());
    }
    result.maps = sureDepths(matched, votes);
    return result;
}

/// The steps of depthSurface(), after its arguments were checked.
DepthSurface surfaceByDepths(const Mesh& startMesh, std::span<const MaskedView* const> photographs,
                             DepthRun& run) {
    const std::vector<StereoView> views =
        run.timed("pictures", [&] { return stereoViews(startMesh, photographs, run); });
    const std::vector<StereoView> halves =
        run.timed("pictures", [&] { return halvedViews(views); });
    const VoxelGrid grid = VoxelGrid::around(startMesh, kCells, kGridMargin);
    const SilhouetteBound bound = run.timed(
        "silhouettes", [&] { return boundOf(grid, photographs, views.front().side, run); });
    const GridField plain = run.timed(
        "start", [&] { return distanceTo(startMesh, grid, kStartFarCells * grid.spacing, run); });

    const MatchingRound coarse = coarseRound();
    MatchingRound fine = fineRound();
    Mesh surface = run.timed("surface", [&] { return surfaceOf({grid, bound.distance}, run); });
    const MatchResult coarseMaps = matchViews(halves, surface, coarse, 0, run);
    const ChosenStart start =
        run.timed("start", [&] { return chooseStart(plain, coarseMaps.with(halves), run); });
    const GridField coarseField =
        fusedField(coarseMaps.with(halves), coarse, bound, start.distance, run);
    surface = run.timed("surface", [&] { return surfaceOf(coarseField, run); });
    const MatchResult fineMaps = matchViews(views, surface, fine, coarse.progress, run);

    const double dependence =
        run.timed("light", [&] { return viewDependence(views, fineMaps.maps, surface); });
    fine.votes = stricterRules(fine.votes, dependence);
    DepthSurface result = assessedDepths(
        fineMaps.with(views), {.minRegionPixels = fine.votes.minRegionPixels}, run.options.cancel);
    if (run.options.useWeakDepths || result.strongFraction >= kMinStrongFraction) {
        const GridField field = fusedField(fineMaps.with(views), fine, bound, start.distance, run);
        result.mesh = remeshedSurfaceOf(field, start, startMesh, run);
    }
    return result;
}

}  // namespace
}  // namespace stereo

DepthSurface depthSurface(const Mesh& start, std::span<const MaskedView* const> views,
                          const DepthOptions& options) {
    const Stopwatch watch;
    stereo::DepthRun run{options, stereo::kernelsNamed(options.instructions),
                         resolveThreadCount(options.threads)};
    if (views.size() < kMinPhotographsForDepth)
        stereo::refuse(fmt::format("{} photographs, expected {} or more", views.size(),
                                   kMinPhotographsForDepth),
                       "Take more photographs around the object.");
    if (start.faces.empty()) stereo::refuse("the start mesh has no faces", "");
    DepthSurface result = stereo::surfaceByDepths(start, views, run);
    run.report(1);
    result.times = run.timer.times();
    result.milliseconds = watch.milliseconds();
    return result;
}

}  // namespace threefold
