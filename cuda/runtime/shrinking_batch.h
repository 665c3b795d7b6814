#pragma once

#include <cstddef>
#include <functional>

#include "engine/network/batch_limit.h"
#include "engine/network/device_error.h"
#include "engine/progress.h"

namespace threefold::cuda {

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
