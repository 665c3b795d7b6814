#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include "engine/stereo/depth_maps.h"
#include "engine/stereo/voxel_grid.h"

namespace threefold::stereo {

/// Two candidates for the surface that a search begins with: a plain one, and one with hollows that
/// no outline shows. Distances are signed, below 0 inside, at the points of a grid.
struct HollowCandidates {
    std::span<const float> plain;   ///< signed distance to the plain surface
    std::span<const float> hollow;  ///< signed distance to the surface with hollows
    /// Depth of the surface with hollows at each pixel of each view; 0: none.
    std::span<const std::vector<float>> hollowDepths;
};

/// Decides between the candidates at each point of a grid: 1 where the photographs show a
/// surface in front of a hollow's floor, 0 where they see into the hollow, or show nothing. Depths
/// too weak for a vote on the surface's position (VoteRules) count too, as only two positions are
/// to be told apart. The result does not depend on the number of threads. Throws Cancelled.
std::vector<float> plainWeights(const VoxelGrid& grid, const HollowCandidates& candidates,
                                const MatchedViews& matched, int threads,
                                const std::stop_token& cancel);

}  // namespace threefold::stereo
