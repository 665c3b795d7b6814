#pragma once

#include <cstdint>

#include "cuda/portable/stream.h"

namespace threefold::cuda {

/// A batch of pairs of clouds of any sizes, points packed one cloud after another. All pointers are
/// device memory.
struct CloudBatch {
    const float* first = nullptr;                ///< (Σ n_i, 3)
    const float* second = nullptr;               ///< (Σ m_i, 3)
    const std::uint32_t* firstStart = nullptr;   ///< (pairs + 1)
    const std::uint32_t* secondStart = nullptr;  ///< (pairs + 1)
    int pairs = 0;
    std::uint32_t largestFirst = 0;   ///< largest n_i: sets the grid
    std::uint32_t largestSecond = 0;  ///< largest m_i
};

/// For each point of either cloud of every pair: squared distance to the nearest of the other
/// cloud, and its index within that cloud, the lowest where several are as near. Both ways and the
/// whole batch in one launch. Exact in float32: differences first, never |a|² + |b|² − 2ab.
void launchNearest(Stream stream, const CloudBatch& clouds, float* firstDistance,
                   std::uint32_t* firstIndex, float* secondDistance, std::uint32_t* secondIndex);

}  // namespace threefold::cuda
