#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/stereo/depth_maps.h"
#include "engine/stereo/depth_votes.h"
#include "engine/stereo/voxel_grid.h"

namespace threefold::stereo {

/// Truncated signed distances to a surface, in units of the truncation: −1…1, below 0 inside.
struct FusedDistance {
    std::vector<float> distance;  ///< weighted mean of the votes; 0 without any
    std::vector<float> weight;    ///< sum of the votes' weights
};

/// Depth maps to fuse, and the points to fuse them at.
struct FusionInput {
    const VoxelGrid& grid;
    std::span<const std::uint8_t> inside;  ///< one value for each point; 0: no votes there
    std::span<const StereoView> views;
    std::span<const DepthMap> maps;     ///< depth maps of `views`
    std::span<const DepthVotes> votes;  ///< votes of `maps`
    float truncation;                   ///< distance at which values are truncated, object units
    /// Distance by which each map's surface is moved towards its camera, in units of the map's
    /// label spacing.
    float surfaceOffsetLabels = 0;
};

/// Fuses depth maps at each inside point (Curless and Levoy 1996). A map's vote is (depth of the
/// surface − depth of the point) / truncation, at most 1; points that lie more than one truncation
/// behind the surface get no vote. The result does not depend on the number of threads. Throws
/// Cancelled.
FusedDistance fuse(const FusionInput& input, int threads, const std::stop_token& cancel);

}  // namespace threefold::stereo
