#pragma once

#include <cstddef>
#include <functional>

#include "engine/network/device_error.h"
#include "engine/progress.h"

namespace threefold::cuda {

/// The largest batch that a device's memory is believed to hold. It halves when a batch did not fit
/// and doubles again after enough that did; a climb that fails at once makes the next one wait
/// twice as long. Not thread-safe.
class BatchLimit {
  public:
    /// Full batches before the first climb, and at most before any.
    static constexpr std::size_t kFirstWait = 16;
    static constexpr std::size_t kLongestWait = 1024;

    /// Begins at `largest` and never exceeds it. Throws InputError where it is 0.
    explicit BatchLimit(std::size_t largest);

    std::size_t size() const { return size_; }

    /// A batch of so many samples ran. Only those as large as the limit count.
    void ran(std::size_t samples);
    /// A batch of so many samples was out of memory. One sample is the least that is tried.
    void outOfMemory(std::size_t samples);

  private:
    std::size_t largest_;
    std::size_t size_;
    std::size_t wait_ = kFirstWait;
    std::size_t full_ = 0;  ///< full batches since the limit changed
    bool onTrial_ = false;  ///< since it climbed, it has not held as long as it had waited
};

/// Runs items in batches that shrink when the device's memory does not hold them, and grow again
/// (BatchLimit). Not thread-safe.
class ShrinkingBatch {
  public:
    /// Runs items [first, first + count) and keeps their results; count >= 1. When it throws, none
    /// of them counts as done.
    using BatchFunction = std::function<void(std::size_t first, std::size_t count)>;

    /// `largest` >= 1 is the batch to begin with. `makeRoom` (may be empty) frees memory before
    /// every further try: it trims pools and drops captured graphs. Throws InputError.
    ShrinkingBatch(std::size_t largest, std::function<void()> makeRoom, LogFunction log = {});

    /// Runs items 0 to `items` - 1, in order, none twice after its batch has returned. When a batch
    /// throws OutOfDeviceMemory, room is made and its items are run again in batches of half as
    /// many; one item alone gets one more try, and then OutOfDeviceMemory is thrown with what was
    /// needed, what was free and what to do. Every other exception passes through.
    void run(std::size_t items, const BatchFunction& batch);

    /// A batch ran elsewhere.
    void ran(std::size_t items) { limit_.ran(items); }

    /// The largest batch of the next run.
    std::size_t size() const { return limit_.size(); }

  private:
    BatchLimit limit_;
    std::function<void()> makeRoom_;
    LogFunction log_;
};

}  // namespace threefold::cuda
