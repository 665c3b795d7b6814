#pragma once

#include <array>
#include <cstddef>
#include <limits>

namespace threefold {

/// Finds, while a list runs, the batch size beyond which larger batches are no faster.
///
/// Sizes are powers of two, so that a device that prepares for each size (a GPU captures a graph)
/// does so a few times only. The size doubles while the time per sample falls by kMinGain, memory
/// and queue allow it, and the remaining samples would repay preparing another size. The current
/// size and the next one are timed again now and then, as conditions of the machine change. Not
/// thread-safe.
class BatchSizer {
  public:
    /// Minimum fraction of a sample's time that a doubling must save.
    static constexpr double kMinGain = 0.05;
    /// Number of timed batches of each size, after an untimed first batch.
    static constexpr std::size_t kTimedBatches = 6;
    /// Number of batches after which the current and the next size are timed again; doubles each
    /// time.
    static constexpr std::size_t kFirstCheckInterval = 64;
    /// Assumed extra time of a new size's first batch, until it is measured.
    static constexpr double kDefaultPreparationMilliseconds = 75;
    static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

    /// `maxSize`: maximum size. `preparationMilliseconds`: expected extra milliseconds of a new
    /// size's first batch, until they are measured.
    explicit BatchSizer(std::size_t maxSize,
                        double preparationMilliseconds = kDefaultPreparationMilliseconds)
        : maxSize_(maxSize), preparationMilliseconds_(preparationMilliseconds) {}

    /// Size of the next batch: a power of two, at most `remaining` (samples of the list not yet
    /// submitted, at least 1) and at most `limit` (from the back end's batch size and the queue's
    /// memory, at least 1). May be called again before the last batch has run.
    std::size_t nextSize(std::size_t remaining, std::size_t limit = kUnlimited) const;

    /// Records a batch. `milliseconds`: from the end of the previous batch, or from this batch's
    /// submission if that was later, so that waiting for samples does not count.
    void record(std::size_t size, double milliseconds);

  private:
    /// Timings of the batches of one size.
    struct Timing {
        double firstMilliseconds = 0;
        std::array<double, kTimedBatches> milliseconds{};
        std::size_t batchCount = 0;
        bool prepared = false;  ///< `firstMilliseconds` was used for preparationMilliseconds_

        bool isComplete() const { return batchCount > kTimedBatches; }
        double batchMilliseconds() const;  ///< mean without the fastest and slowest batch
    };

    void timeAgain(std::size_t doublings);
    double sampleMilliseconds(std::size_t doublings) const;
    bool isWorthwhile(std::size_t doublings, std::size_t remaining) const;

    /// Indexed by log₂ of the size.
    std::array<Timing, std::numeric_limits<std::size_t>::digits> timings_;
    std::size_t maxSize_;
    double preparationMilliseconds_;
    std::size_t batchesBetweenChecks_ = kFirstCheckInterval;
    std::size_t batchesSinceCheck_ = 0;  ///< batches of completely timed sizes
};

}  // namespace threefold
