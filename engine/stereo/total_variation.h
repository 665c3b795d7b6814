#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/stereo/voxel_grid.h"

namespace threefold::stereo {

/// Data of a total-variation problem; arrays of grid.count().
struct TotalVariationProblem {
    const VoxelGrid& grid;
    std::span<const std::uint8_t> inside;  ///< 1: unknown to solve for; 0 at the grid's border
    std::span<const float> data;           ///< f
    std::span<const float> dataWeight;     ///< w ≥ 0
    float lambda = 0;                      ///< λ > 0
};

/// Minimises λ TV(u) + ½ Σ w (u − f)² over the inside points, with Neumann conditions at their
/// border, by `steps` iterations of the primal-dual algorithm of Chambolle and Pock (2011) from u =
/// f. Returns u, 0 outside. The result does not depend on the number of threads. Throws Cancelled.
std::vector<float> minimiseTotalVariation(const TotalVariationProblem& problem, int steps,
                                          int threads, const std::stop_token& cancel);

}  // namespace threefold::stereo
