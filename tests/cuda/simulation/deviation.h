#pragma once

#include <span>

#include "engine/mesh.h"
#include "tests/cuda/simulation/network.h"

namespace threefold::cuda::simulation {

/// Distances between two meshes' vertices that belong together, object units.
struct Spread {
    double median = 0;
    double typical = 0;  ///< what kTypicalQuantile of the vertices keep
    double largest = 0;
};

/// `ours` and `theirs` have as many vertices, at least one.
Spread spreadOf(const Points& ours, const Points& theirs);

/// How far one outcome lies from another.
struct RunDeviation {
    /// The largest difference of a value, relative to the largest magnitude of its tensor, over all
    /// of Outcome::maps and Outcome::levels.
    double maps = 0;
    double levels = 0;
    Spread coarse;
    Spread refined;
    double score = 0;  ///< F(τ) of the refined mesh: ours less theirs, percentage points
};

RunDeviation deviationOf(const Outcome& ours, const Outcome& theirs, const Points& truth);

}  // namespace threefold::cuda::simulation
