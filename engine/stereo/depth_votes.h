#pragma once

#include <cstddef>
#include <stop_token>
#include <vector>

#include "engine/stereo/depth_maps.h"

namespace threefold::stereo {

/// Conditions for a depth to get a vote. Its margin (Labelling::margin) tells right depths from
/// wrong ones best. Measured: 2 % of the depths with a margin above 0.16 are wrong on textured
/// surfaces; 40 to 80 % of the depths with a margin below 0.08 are wrong on bare and glossy
/// surfaces. A depth that fulfils the conditions is sure; a sure depth with a margin above
/// kStrongMargin is strong.
struct VoteRules {
    int minSupportingViews = 1;       ///< minimum number of other views that agree
    float minScore = 0.55F;           ///< minimum correlation
    float minMargin = 0.05F;          ///< margin below which a depth has no weight
    float fullMargin = 0.16F;         ///< margin from which a depth has its full weight
    std::size_t minRegionPixels = 4;  ///< minimum number of pixels of a connected region
    /// Minimum fraction, around each pixel, of strong depths among those that fulfil the conditions
    /// above; negative: unchecked. Where light or highlights imitate a surface, few depths are
    /// strong.
    float minStrongFraction = -1;
};

/// Margin above which a sure depth is strong.
inline constexpr float kStrongMargin = 0.25F;

/// Votes of one view's pixels.
struct DepthVotes {
    std::vector<float> weight;  ///< weight of each pixel's depth, 0…2
    double sureFraction = 0;    ///< fraction of the object's pixels with a vote
    double strongFraction = 0;  ///< fraction of the votes with a margin above kStrongMargin
};

/// Votes of a view's depth map. `support`: for each pixel of `map`, how many other maps agree.
DepthVotes votesOf(const StereoView& view, const DepthMap& map, const ViewSupport& support,
                   const VoteRules& rules);

/// Votes of all views, in their order. Throws Cancelled.
std::vector<DepthVotes> allVotes(const MatchedViews& matched, const VoteRules& rules,
                                 const std::stop_token& cancel);

}  // namespace threefold::stereo
