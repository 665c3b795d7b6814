#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <span>

namespace threefold {

/// Wall time since construction.
class Stopwatch {
  public:
    double milliseconds() const {
        return std::chrono::duration<double, std::milli>(Clock::now() - begin_).count();
    }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point begin_ = Clock::now();
};

inline constexpr double kMillisecondsInSecond = 1000;

/// Rate per second of `count` events in `milliseconds`; 0 if `milliseconds` is not positive.
inline double perSecond(std::size_t count, double milliseconds) {
    return milliseconds > 0 ? static_cast<double>(count) * kMillisecondsInSecond / milliseconds : 0;
}

/// Processor time of the calling thread, in milliseconds.
double threadCoreMilliseconds();

/// Processor time of all threads that the process has had, in milliseconds.
double processCoreMilliseconds();

/// The newest values of a repeated measurement.
class Rolling {
  public:
    static constexpr std::size_t kDefault = 64;

    /// Keeps the last `capacity` > 0 values.
    explicit Rolling(std::size_t capacity = kDefault) : capacity_(capacity) {}

    void add(double value);
    const std::deque<double>& values() const { return values_; }  ///< oldest first
    std::size_t size() const { return values_.size(); }

    /// nullopt before the first value. p95 by nearest rank.
    std::optional<double> last() const;
    std::optional<double> median() const;
    std::optional<double> p95() const;

  private:
    std::size_t capacity_;
    std::deque<double> values_;
};

}  // namespace threefold
