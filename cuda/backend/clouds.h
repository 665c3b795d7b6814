#pragma once

#include <span>
#include <vector>

#include "cuda/kernels/device_limits.h"
#include "cuda/runtime/memory_pool.h"
#include "engine/metrics/matching.h"
#include "engine/metrics/nearest.h"

namespace threefold::cuda {

/// The backend's services on the device: nearest neighbours and the earth mover's matching for a
/// batch of pairs of clouds. One thread at a time.
class CloudServices {
  public:
    /// `memory` and `stream` outlive it.
    CloudServices(const DeviceLimits& limits, MemoryPool& memory, Stream stream)
        : limits_(limits), memory_(&memory), stream_(stream) {}

    /// As threefold::nearestBothWays(), in float32. Distances that overflow it are refused.
    NearestBatch nearest(std::span<const CloudPair> pairs);
    /// As threefold::approximateMatchings().
    MatchingBatch match(std::span<const CloudPair> pairs, const MatchingSchedule& schedule);

  private:
    /// Steps 1 to 4 of the definition; what they took is added to `milliseconds`.
    std::vector<Matching> matchOnce(std::span<const CloudPair> pairs,
                                    const MatchingSchedule& schedule, double& milliseconds);

    DeviceLimits limits_;
    MemoryPool* memory_;
    Stream stream_;
};

}  // namespace threefold::cuda
