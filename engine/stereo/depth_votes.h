#pragma once

#include <span>
#include <vector>

#include "engine/stereo/depth_maps.h"

namespace threefold::stereo {

/// Which depths are believed. A margin tells right depths from wrong ones best: of textured
/// surfaces 2 % of the depths above 0.16 are wrong, of bare and glossy ones 40 to 80 % below 0.08.
struct VoteRules {
    int leastAgreeing = 1;        ///< other views
    float leastScore = 0.55F;     ///< correlation
    float leastMargin = 0.05F;    ///< a depth counts from here on,
    float fullMargin = 0.16F;     ///< and fully from here on
    std::size_t leastPixels = 4;  ///< of a connected part
    /// Around each pixel the share of sure depths whose margin is strong must be more than this;
    /// negative: not asked. Where light or highlights imitate a surface, few are.
    float leastStrong = -1;
};

/// Margin above which a sure depth is strong.
inline constexpr float kStrongMargin = 0.25F;

/// A view's votes and their shares among the pixels that show the object.
struct DepthVotes {
    std::vector<float> weight;  ///< of each pixel's depth, 0…2
    double sure = 0;            ///< share of the object's pixels with a vote
    double strong = 0;          ///< share of these whose margin is above kStrongMargin
};

DepthVotes votesOf(const StereoView& view, const DepthMap& map, const Agreement& agreement,
                   const VoteRules& rules);

}  // namespace threefold::stereo
