#pragma once

#include <cstddef>
#include <functional>

#include "engine/devices/device_error.h"
#include "engine/log.h"

namespace threefold::cuda {

/// Estimate of the largest batch that fits the device's memory. Halves when a batch did not fit and
/// doubles again after enough full batches; a climb that fails at once doubles the wait for the
/// next. Not thread-safe.
class BatchLimit {
  public:
    /// Full batches to wait before the first climb; maximum wait.
    static constexpr std::size_t kFirstWait = 16;
    static constexpr std::size_t kMaxWait = 1024;

    /// Starts at `largest` and never exceeds it. Throws InputError if `largest` is 0.
    explicit BatchLimit(std::size_t largest);

    std::size_t size() const { return size_; }

    /// Records a successful batch. Only batches as large as the limit count.
    void recordSuccess(std::size_t samples);
    /// Records a batch that ran out of memory. The limit never falls below one sample.
    void recordOutOfMemory(std::size_t samples);

  private:
    std::size_t largest_;
    std::size_t size_;
    std::size_t waitBatches_ = kFirstWait;
    std::size_t fullBatches_ = 0;  ///< full batches since the last change
    bool onTrial_ = false;         ///< climbed and not yet held as long as it waited
};

/// Runs samples in batches that shrink when the device runs out of memory and grow again
/// (BatchLimit). Not thread-safe.
class ShrinkingBatch {
  public:
    /// Runs samples [first, first + count) and keeps their results; count >= 1. If it throws, none
    /// counts as done.
    using BatchFunction = std::function<void(std::size_t first, std::size_t count)>;

    /// `largest` >= 1: initial batch. `makeRoom` (may be empty) frees memory before every retry,
    /// for instance by trimming pools and dropping captured graphs. Throws InputError.
    ShrinkingBatch(std::size_t largest, std::function<void()> makeRoom, LogFunction log = {});

    /// Runs samples 0 to `samples` - 1, in order, none again after its batch has returned. If a
    /// batch throws OutOfDeviceMemory, makes room and reruns its samples in batches of half the
    /// size; a single sample gets one retry, then OutOfDeviceMemory is thrown with the bytes
    /// needed, the bytes free and a remedy. Every other exception passes through.
    void run(std::size_t samples, const BatchFunction& batch);

    /// Records a batch that succeeded elsewhere.
    void recordSuccess(std::size_t samples) { limit_.recordSuccess(samples); }

    /// Largest batch of the next run.
    std::size_t size() const { return limit_.size(); }

  private:
    BatchLimit limit_;
    std::function<void()> makeRoom_;
    LogFunction log_;
};

}  // namespace threefold::cuda
