#include "engine/stereo/depth_field.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "engine/compute/parallel.h"
#include "engine/order_statistics.h"
#include "engine/raster/camera_depths.h"
#include "engine/stereo/depth_votes.h"
#include "engine/stereo/fusion.h"
#include "engine/stereo/hollow_choice.h"
#include "engine/stereo/mesh_distance.h"
#include "engine/stereo/start_prior.h"
#include "engine/stereo/total_variation.h"

namespace threefold::stereo {
namespace {

/// Truncation of distances, in label spacings of the depth maps, and its minimum, in spacings of
/// the grid.
constexpr double kTruncationLabels = 1.5;
constexpr double kMinTruncation = 3;
constexpr float kSmoothness = 0.35F;
constexpr int kVariationSteps = 120;

float medianLabelSpacing(std::span<const DepthMap> maps) {
    std::vector<float> spacings;
    for (const DepthMap& map : maps) spacings.push_back(map.labelSpacing);
    return upperMedian(std::move(spacings));
}

}  // namespace

GridField distanceTo(const Mesh& mesh, const VoxelGrid& grid, double maxDistance,
                     const DepthRun& run) {
    return {grid, signedDistance(grid, mesh, static_cast<float>(maxDistance), run.threads,
                                 run.options.cancel)};
}

ChosenStart chooseStart(const GridField& plain, const MatchedViews& matched, const DepthRun& run) {
    const Mesh* const mesh = run.options.startMeshWithHollows;
    if (mesh == nullptr) return {plain, {}};
    const VoxelGrid& grid = plain.grid;
    ChosenStart chosen{distanceTo(*mesh, grid, kStartFarCells * grid.spacing, run), {}};
    std::vector<std::vector<float>> depths(matched.views.size());
    parallelFor(run.threads, depths.size(), run.options.cancel,
                [&](std::size_t i, std::size_t /*thread*/) {
                    const StereoView& view = matched.views[i];
                    depths[i] = cameraDepths(*mesh, view.camera, view.side, run.options.cancel);
                });
    chosen.weightWithoutHollows =
        weightsWithoutHollows(grid, {plain.values, chosen.distance.values, depths}, matched,
                              run.threads, run.options.cancel);
    for (std::size_t i = 0; i < plain.values.size(); ++i) {
        float& value = chosen.distance.values[i];
        value = std::lerp(value, plain.values[i], chosen.weightWithoutHollows[i]);
    }
    return chosen;
}

GridField chosenOnFinerGrid(const VoxelGrid& fine, const Mesh& startMesh, const ChosenStart& start,
                            double maxDistance, const DepthRun& run) {
    GridField distance = distanceTo(startMesh, fine, maxDistance, run);
    if (run.options.startMeshWithHollows == nullptr) return distance;
    const GridField withHollows =
        distanceTo(*run.options.startMeshWithHollows, fine, maxDistance, run);
    forEachPoint(fine, run.threads, run.options.cancel, [&](const glm::ivec3& at) {
        const std::size_t i = fine.index(at);
        float& value = distance.values[i];
        if (withHollows.values[i] == value) return;
        value = std::lerp(
            withHollows.values[i], value,
            interpolated(start.distance.grid, start.weightWithoutHollows, fine.position(at), 0));
    });
    return distance;
}

GridField fusedField(const MatchedViews& matched, const MatchingRound& round,
                     const SilhouetteBound& bound, const GridField& start, DepthRun& run) {
    const VoxelGrid& grid = start.grid;
    const auto truncation =
        static_cast<float>(std::clamp(kTruncationLabels * medianLabelSpacing(matched.maps),
                                      kMinTruncation * grid.spacing, kFarCells * grid.spacing));
    std::vector<float> unobserved;
    const FusedDistance fusion = run.timed("fusion", [&] {
        const std::vector<DepthVotes> votes = allVotes(matched, round.votes, run.options.cancel);
        FusedDistance fused = fuse({.grid = grid,
                                    .inside = bound.inside,
                                    .views = matched.views,
                                    .maps = matched.maps,
                                    .votes = votes,
                                    .truncation = truncation,
                                    .surfaceOffsetLabels = round.surfaceOffsetLabels},
                                   run.threads, run.options.cancel);
        unobserved = addStartPrior({start.values, truncation, round.keepsUnobservedStart},
                                   bound.inside, fused);
        return fused;
    });
    return run.timed("total variation", [&] {
        const std::vector<float> smooth = minimiseTotalVariation(
            {grid, bound.inside, fusion.distance, fusion.weight, kSmoothness}, kVariationSteps,
            run.threads, run.options.cancel);
        GridField field{grid, bound.distance};
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

}  // namespace threefold::stereo
