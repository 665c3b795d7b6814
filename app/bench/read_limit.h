#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>

namespace threefold {

/// What a ReadLimit waits by; empty: the steady clock.
struct ReadClock {
    using Time = std::chrono::steady_clock::time_point;
    std::function<Time()> now = {};
    std::function<void(Time)> sleepUntil = {};
};

/// A disk of a given speed, shared by all threads that read: their bytes come one after another.
/// Time in which nobody reads is not saved up. Thread-safe.
class ReadLimit {
  public:
    /// `bytesPerSecond` > 0; else take() returns at once.
    explicit ReadLimit(double bytesPerSecond, ReadClock clock = {});

    /// Returns when the disk would have delivered so many bytes.
    void take(std::size_t bytes);
    std::size_t taken() const;  ///< bytes so far

  private:
    const double bytesPerSecond_;
    const ReadClock clock_;
    mutable std::mutex mutex_;
    ReadClock::Time free_{};  ///< when the disk has delivered all that was asked for
    std::size_t taken_ = 0;
};

}  // namespace threefold
