#pragma once

#include <array>
#include <cstddef>
#include <limits>

namespace threefold {

/// Finds, while a list runs, the batch size from which on larger batches are no faster.
///
/// Sizes are powers of two, so that a device that prepares itself for each size (a GPU captures a
/// graph) does so a few times only. The size doubles as long as the time per sample still falls by
/// kLeastGain, memory and queue allow it, and the samples that remain would make up for preparing
/// another size: each doubling is expected to save half of what the last one did, as it does where
/// a batch costs a fixed time and a time per sample. Now and then both the size in use and the next
/// one are timed again, since a machine may change, and other programs disturb. Not thread-safe.
class BatchSizer {
  public:
    /// Least share of a sample's time that a doubling must save.
    static constexpr double kLeastGain = 0.05;
    /// Batches of a size that are timed, after a first one that is not.
    static constexpr std::size_t kTimedBatches = 6;
    /// Batches of sizes already timed before the current size and the next one are timed again;
    /// doubles each time.
    static constexpr std::size_t kFirstCheck = 64;
    static constexpr double kDefaultPreparation = 75;  ///< milliseconds
    static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

    /// `largest`: never exceeded. `preparation`: milliseconds that the first batch of a new size is
    /// expected to take longer than the next ones, until that was measured.
    explicit BatchSizer(std::size_t largest, double preparation = kDefaultPreparation)
        : largest_(largest), preparation_(preparation) {}

    /// Size of the next batch: a power of two, at most `remaining` (samples of the list not yet
    /// submitted, at least 1) and at most `most` (what the backend computes together and the queue
    /// holds now, at least 1). May be called again before the last batch has run.
    std::size_t next(std::size_t remaining, std::size_t most = kUnlimited) const;

    /// A batch ran. `milliseconds`: from the end of the batch before it, or from its own submission
    /// if that was later; so it leaves out what the network waited for samples.
    void ran(std::size_t size, double milliseconds);

  private:
    /// Batches of one size.
    struct Timing {
        double first = 0;
        std::array<double, kTimedBatches> milliseconds{};
        std::size_t ran = 0;

        bool complete() const { return ran > kTimedBatches; }
        double batchMilliseconds() const;  ///< mean without the fastest and the slowest
    };

    void timeAgain(std::size_t doublings);
    double sampleMilliseconds(std::size_t doublings) const;
    bool pays(std::size_t doublings, std::size_t remaining) const;

    std::array<Timing, std::numeric_limits<std::size_t>::digits> timings_;  ///< by doublings of 1
    std::size_t largest_;
    double preparation_;
    std::size_t untilCheck_ = kFirstCheck;
    std::size_t settled_ = 0;  ///< batches of sizes that were timed already
};

}  // namespace threefold
