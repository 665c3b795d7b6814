#pragma once

#include <cstddef>
#include <functional>

#include "cuda/runtime/batch_limit.h"
#include "engine/devices/device_error.h"
#include "engine/log.h"

namespace threefold::cuda {

/// Runs samples in batches that shrink when the device runs out of memory and grow again
/// (BatchLimit). Not thread-safe.
class AdaptiveBatchRunner {
  public:
    /// Runs samples [first, first + count) and keeps their results; count >= 1. After an
    /// exception, none of these samples counts as done.
    using BatchFunction = std::function<void(std::size_t first, std::size_t count)>;

    /// `maxSize` >= 1: initial and maximum batch size. `makeRoom` (may be empty) frees memory
    /// before every retry, for instance by trimming pools and dropping captured graphs. Throws
    /// std::logic_error for a maximum of 0.
    AdaptiveBatchRunner(std::size_t maxSize, std::function<void()> makeRoom, LogFunction log = {});

    /// Runs samples 0 to `samples` - 1, in order; a sample whose batch has returned does not run
    /// again. If a batch throws OutOfDeviceMemory, makes room and reruns its samples in batches of
    /// half the size; a single sample gets one retry, then OutOfDeviceMemory is thrown with the
    /// bytes needed, the bytes free and a remedy. Every other exception passes through.
    void run(std::size_t samples, const BatchFunction& batch);

    /// Records a batch that succeeded outside of run().
    void recordSuccess(std::size_t samples) { limit_.recordSuccess(samples); }

    /// Largest batch of the next run.
    std::size_t size() const { return limit_.size(); }

  private:
    BatchLimit limit_;
    std::function<void()> makeRoom_;
    LogFunction log_;
};

}  // namespace threefold::cuda
