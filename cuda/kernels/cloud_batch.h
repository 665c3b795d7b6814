#pragma once

#include <cstdint>

namespace threefold::cuda {

/// A batch of pairs of clouds of any sizes, points packed one cloud after another. All pointers are
/// device memory; what is counted here sets the grid and must agree with it.
struct CloudBatch {
    const float* first = nullptr;                ///< (Σ n_i, 3)
    const float* second = nullptr;               ///< (Σ m_i, 3)
    const std::uint32_t* firstStart = nullptr;   ///< (pairs + 1), from 0
    const std::uint32_t* secondStart = nullptr;  ///< (pairs + 1), from 0
    int pairs = 0;
    std::uint32_t firstPoints = 0;    ///< Σ n_i
    std::uint32_t secondPoints = 0;   ///< Σ m_i
    std::uint32_t largestFirst = 0;   ///< largest n_i
    std::uint32_t largestSecond = 0;  ///< largest m_i
};

}  // namespace threefold::cuda
