#pragma once

#include <cstdint>

namespace threefold::cuda {

/// Pairs of clouds of any sizes, points packed one cloud after another. All pointers are device
/// memory. The counts set the grid and must agree with the data.
struct PackedCloudPairs {
    const float* first = nullptr;   ///< (Σ n_i, 3)
    const float* second = nullptr;  ///< (Σ m_i, 3)
    /// (pairs + 1): index of each cloud's first point, from 0.
    const std::uint32_t* firstOffsets = nullptr;
    /// (pairs + 1): index of each cloud's first point, from 0.
    const std::uint32_t* secondOffsets = nullptr;
    int pairs = 0;
    std::uint32_t firstPointCount = 0;   ///< Σ n_i
    std::uint32_t secondPointCount = 0;  ///< Σ m_i
    std::uint32_t maxFirstCount = 0;     ///< largest n_i
    std::uint32_t maxSecondCount = 0;    ///< largest m_i
};

}  // namespace threefold::cuda
