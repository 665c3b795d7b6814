#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/stereo/fusion.h"

namespace threefold::stereo {

/// The start mesh as a prior of the fused depths.
struct StartPrior {
    std::span<const float> distance;  ///< signed, at the points of a grid, object units
    float truncation;                 ///< FusionInput::truncation
    /// Whether the start mesh alone decides near its surface where votes are missing, see
    /// addStartPrior().
    bool keepsUnobserved;
};

/// Adds a prior to the votes at inside points and limits the votes' weights. Returns for each point
/// the weight with which the start mesh alone decides, 0…1:
/// - 1 without votes, up to half a truncation from the start mesh's surface;
/// - 0 from one truncation on, with votes of weight 1 or more, or without `keepsUnobserved`;
/// - between, linearly.
std::vector<float> addStartPrior(const StartPrior& prior, std::span<const std::uint8_t> inside,
                                 FusedDistance& fused);

}  // namespace threefold::stereo
