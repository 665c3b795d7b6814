#pragma once

#include <cstddef>

namespace threefold::cuda {

/// Estimate of the largest batch that fits the device's memory. Halves when a batch does not fit;
/// doubles after a number of full batches. If a batch does not fit before that number of full
/// batches has followed a doubling, the number doubles for the next time. Not thread-safe.
class BatchLimit {
  public:
    /// Number of full batches before the first doubling, and maximum of that number.
    static constexpr std::size_t kFirstWait = 16;
    static constexpr std::size_t kMaxWait = 1024;

    /// Starts at `maxSize` and never exceeds it. Throws std::logic_error if `maxSize` is 0.
    explicit BatchLimit(std::size_t maxSize);

    std::size_t size() const { return size_; }

    /// Records a successful batch. Only batches as large as the limit count.
    void recordSuccess(std::size_t samples);
    /// Records a batch that ran out of memory. The limit never falls below one sample.
    void recordOutOfMemory(std::size_t samples);

  private:
    std::size_t maxSize_;
    std::size_t size_;
    std::size_t batchesToGrow_ = kFirstWait;
    std::size_t fullBatchCount_ = 0;  ///< full batches since the last change
    /// The limit was doubled, and batchesToGrow_ full batches have not followed yet.
    bool isProbing_ = false;
};

}  // namespace threefold::cuda
