#pragma once

#include <functional>
#include <optional>

namespace threefold {

/// How much of the processor this process uses, from one reading to the next. Not thread-safe.
class ProcessorMeter {
  public:
    /// Milliseconds since any moment: only differences count.
    struct Times {
        double onCores = 0;  ///< of all threads of the process together
        double wall = 0;
    };

    /// `cores`: that count as all, at least 1. `times`: what it reads, for tests.
    explicit ProcessorMeter(int cores = usableCores(), std::function<Times()> times = timesNow);

    /// The share of all cores that the process used since the reading before, or since it was made,
    /// in %: 100 is all cores all the time. Nothing where no time has passed.
    std::optional<double> read();

    static int usableCores();  ///< that this process may run on, at least 1
    static Times timesNow();

  private:
    double cores_;
    std::function<Times()> times_;
    Times before_;
};

}  // namespace threefold
