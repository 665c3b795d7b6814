#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/stereo/depth_maps.h"
#include "engine/stereo/depth_votes.h"
#include "engine/stereo/voxels.h"

namespace threefold::stereo {

/// Truncated signed distances to a surface, in units of the truncation: below 0 inside, −1…1.
struct FusedDistance {
    std::vector<float> distance;  ///< weighted mean of the votes; 0 without any
    std::vector<float> weight;    ///< their sum
};

/// Votes of the depth maps for each inside point (Curless and Levoy 1996): (depth of the surface −
/// depth of the point) / `truncation`, at most 1; a point that lies deeper than −1 is not voted
/// on. Surfaces are taken `nearer` to the cameras by so many of their maps' steps. The same with
/// any number of threads. Throws Cancelled.
FusedDistance fuse(const Lattice& lattice, std::span<const std::uint8_t> inside,
                   std::span<const StereoView> views, std::span<const DepthMap> maps,
                   std::span<const DepthVotes> votes, float truncation, float nearer, int threads,
                   const std::stop_token& cancel);

}  // namespace threefold::stereo
