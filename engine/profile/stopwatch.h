#pragma once

#include <chrono>

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

/// Milliseconds that the calling thread has been on a core of the processor.
double threadCoreMilliseconds();

/// The same of all threads that the process has had.
double processCoreMilliseconds();

}  // namespace threefold
