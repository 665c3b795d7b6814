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
/// - without `keepsUnobserved`: 0;
/// - else the product of two factors, each falling linearly from 1 to 0: over the weight of the
///   votes from 0 to 1, and over the distance from the start mesh's surface from half a truncation
///   to a whole one.
std::vector<float> addStartPrior(const StartPrior& prior, std::span<const std::uint8_t> inside,
                                 FusedDistance& fused);

}  // namespace threefold::stereo
