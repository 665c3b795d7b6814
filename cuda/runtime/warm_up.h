#pragma once

#include <functional>
#include <span>
#include <stop_token>

#include "cuda/runtime/memory_pool.h"

namespace threefold::cuda {

/// As many as the published timing script drops before it counts.
inline constexpr int kWarmUpRuns = 15;

/// Calls `run` up to `runs` times, then seals the pools: from then on they should not need the
/// device. They are unsealed first. Returns the number of runs done; fewer when `cancel` is
/// requested between two runs or `run` throws Cancelled, and then the pools stay unsealed. Other
/// exceptions pass through, likewise. None runs and nothing is sealed where `runs` <= 0.
int warmUp(int runs, const std::stop_token& cancel, const std::function<void()>& run,
           std::span<MemoryPool* const> pools);

}  // namespace threefold::cuda
