#pragma once

#include <span>

#include "cuda/kernels/device_limits.h"
#include "cuda/runtime/memory_pool.h"
#include "engine/geometry/nearest.h"
#include "engine/measures/earth_movers.h"

namespace threefold::cuda {

/// Nearest neighbours as threefold::bidirectionalNeighbours() finds them, but in float32. Throws
/// InputError if a squared distance overflows float32.
NeighbourResults nearestOnDevice(const DeviceLimits& limits, MemoryPool& pool, Stream stream,
                                 std::span<const CloudPair> pairs);

/// Earth mover's matchings as threefold::sinkhornDistances() computes them.
TransportResults matchOnDevice(MemoryPool& pool, Stream stream, std::span<const CloudPair> pairs,
                               const SinkhornSchedule& schedule);

}  // namespace threefold::cuda
