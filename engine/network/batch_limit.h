#pragma once

#include <cstddef>

namespace threefold {

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

}  // namespace threefold
