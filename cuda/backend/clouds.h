#pragma once

#include <span>

#include "cuda/kernels/device_limits.h"
#include "cuda/runtime/memory_pool.h"
#include "engine/metrics/matching.h"
#include "engine/metrics/nearest.h"

namespace threefold::cuda {

/// As threefold::nearestBothWays(), in float32. Distances that overflow it are refused.
NearestBatch nearestOnDevice(const DeviceLimits& limits, MemoryPool& pool, Stream stream,
                             std::span<const CloudPair> pairs);

/// As threefold::approximateMatchings().
MatchingBatch matchOnDevice(MemoryPool& pool, Stream stream, std::span<const CloudPair> pairs,
                            const MatchingSchedule& schedule);

}  // namespace threefold::cuda
