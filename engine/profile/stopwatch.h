#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <span>

namespace threefold {

/// Wall time since it was made.
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

/// How many a second, of those that took so long; 0 where no time passed.
inline double perSecond(std::size_t count, double milliseconds) {
    return milliseconds > 0 ? static_cast<double>(count) * kMillisecondsInSecond / milliseconds : 0;
}

/// Milliseconds that the calling thread has been on a core of the processor.
double threadCoreMilliseconds();

/// The same of all threads that the process has had.
double processCoreMilliseconds();

/// The smallest of the values that at least `share` (0…1) of them do not exceed: the nearest rank,
/// so always one of the values, never between two. Nothing without values.
std::optional<double> nearestRank(std::span<const double> values, double share);

/// The middle one, or the mean of the two in the middle. Nothing without values.
std::optional<double> medianOf(std::span<const double> values);

/// The newest values of something that is measured again and again.
class Rolling {
  public:
    static constexpr std::size_t kDefault = 64;

    /// Keeps the last `kept` > 0.
    explicit Rolling(std::size_t kept = kDefault) : kept_(kept) {}

    void add(double value);
    const std::deque<double>& values() const { return values_; }  ///< oldest first
    std::size_t size() const { return values_.size(); }

    /// Nothing before the first value. p95 by the nearest rank.
    std::optional<double> last() const;
    std::optional<double> median() const;
    std::optional<double> p95() const;

  private:
    std::size_t kept_;
    std::deque<double> values_;
};

}  // namespace threefold
