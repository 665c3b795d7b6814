#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include "engine/stereo/depth_maps.h"
#include "engine/stereo/voxel_grid.h"

namespace threefold::stereo {

/// Two candidates for the start mesh: without and with hollows that no outline shows. Signed
/// distances to their surfaces, below 0 inside, at the points of a grid.
struct HollowCandidates {
    std::span<const float> withoutHollows;
    std::span<const float> withHollows;
    /// Depth of the mesh with hollows at each pixel of each view; 0: none.
    std::span<const std::vector<float>> hollowDepths;
};

/// Weight of the candidate without hollows at each point of a grid: 1 where the photographs show a
/// surface in front of a hollow's floor, 0 where they see into the hollow, or show nothing. Depths
/// too weak for a vote (VoteRules) count too: they only have to tell two positions apart. The
/// result does not depend on the number of threads. Throws Cancelled.
std::vector<float> weightsWithoutHollows(const VoxelGrid& grid, const HollowCandidates& candidates,
                                         const MatchedViews& matched, int threads,
                                         const std::stop_token& cancel);

}  // namespace threefold::stereo
