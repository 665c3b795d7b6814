#pragma once

#include <span>
#include <utility>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/mesh.h"
#include "engine/stereo/depth_maps.h"
#include "engine/stereo/depth_run.h"
#include "engine/stereo/matching_rounds.h"
#include "engine/stereo/silhouette_bound.h"
#include "engine/stereo/voxel_grid.h"

/// The signed distance that depth maps, silhouettes and start mesh agree on. The results of these
/// functions do not depend on the number of threads; all throw Cancelled.
namespace threefold::stereo {

/// Distances are clamped beyond this many spacings from the surface.
inline constexpr double kFarCells = 6;
/// The start mesh's distances are clamped beyond this many spacings.
inline constexpr int kStartFarCells = 5;

/// Signed distances at the points of a grid, in object units, below 0 inside.
struct GridField {
    VoxelGrid grid;
    std::vector<float> values;  ///< one for each point

    /// Interpolates linearly; returns `outside` beyond the grid.
    float at(glm::dvec3 point, float outside) const {
        return interpolated(grid, values, point, outside);
    }
};

/// Distance to a closed mesh, clamped to ±`maxDistance`.
GridField distanceTo(const Mesh& mesh, const VoxelGrid& grid, double maxDistance,
                     const DepthRun& run);

/// The start mesh's signed distance, to which depths are added: with the hollows of
/// DepthOptions::startMeshWithHollows that the photographs do not contradict.
struct ChosenStart {
    GridField distance;
    /// weightsWithoutHollows(); empty without DepthOptions::startMeshWithHollows.
    std::vector<float> weightWithoutHollows;
};

/// Chooses between a start without hollows, `plain`, and DepthOptions::startMeshWithHollows, at
/// each point of the grid of `plain`.
ChosenStart chooseStart(const GridField& plain, const MatchedViews& matched, const DepthRun& run);

/// The chosen start on a finer grid, clamped to ±`maxDistance`. `startMesh`: the one without
/// hollows.
GridField chosenOnFinerGrid(const VoxelGrid& fine, const Mesh& startMesh, const ChosenStart& start,
                            double maxDistance, const DepthRun& run);

/// Distance to the surface that depths and start agree on: fusion, then total variation. `matched`:
/// at least one view. `bound`, `start`: at the points of one grid; the result lies within `bound`
/// wherever there are votes.
GridField fusedField(const MatchedViews& matched, const MatchingRound& round,
                     const SilhouetteBound& bound, const GridField& start, DepthRun& run);

}  // namespace threefold::stereo
