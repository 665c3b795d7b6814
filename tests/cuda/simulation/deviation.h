#pragma once

#include <span>

#include "engine/mesh.h"
#include "tests/cuda/simulation/network.h"

namespace threefold::cuda::simulation {

/// Distances between corresponding vertices of two meshes, in object units.
struct Spread {
    double median = 0;
    double typical = 0;  ///< quantile kTypicalQuantile
    double largest = 0;
};

/// Measures the spread of two meshes with equal numbers of vertices, at least one.
Spread spreadOf(const Points& ours, const Points& theirs);

/// Deviation of one outcome from another.
struct RunDeviation {
    /// Largest difference of a value, relative to the largest magnitude of its tensor: `maps` over
    /// all tensors of Outcome::maps, `levels` over all tensors of Outcome::levels.
    double maps = 0;
    double levels = 0;
    Spread coarse;
    Spread refined;
    double score = 0;  ///< F(τ) of the refined mesh: ours minus theirs, percentage points
};

RunDeviation deviationOf(const Outcome& ours, const Outcome& theirs, const Points& truth);

}  // namespace threefold::cuda::simulation
