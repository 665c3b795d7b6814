#pragma once

#include <chrono>
#include <cstddef>

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

inline constexpr double kMillisecondsPerSecond = 1000;

/// Rate per second of `count` events in `milliseconds`; 0 if `milliseconds` is not positive.
inline double perSecond(std::size_t count, double milliseconds) {
    return milliseconds > 0 ? static_cast<double>(count) * kMillisecondsPerSecond / milliseconds
                            : 0;
}

/// Processor time of the calling thread, in milliseconds.
double threadCpuMilliseconds();

/// Processor time of all threads of the process, ended ones included, in milliseconds.
double processCpuMilliseconds();

}  // namespace threefold
