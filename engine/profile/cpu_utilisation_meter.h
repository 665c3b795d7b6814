#pragma once

#include <functional>
#include <optional>

namespace threefold {

/// Measures this process's processor utilisation between readings. Not thread-safe.
class CpuUtilisationMeter {
  public:
    /// Milliseconds since an arbitrary time: only differences count.
    struct Times {
        double onCores = 0;  ///< processor time, summed over all threads of the process
        double wall = 0;
    };

    /// `cores`: number of cores that count as 100 %, at least 1. `times`: source of readings, for
    /// tests.
    explicit CpuUtilisationMeter(int cores = usableCores(),
                                 std::function<Times()> times = timesNow);

    /// Utilisation of all cores since the previous reading, or since construction, in %: 100 is all
    /// cores all the time. nullopt if no time has passed.
    std::optional<double> read();

    static int usableCores();  ///< cores that this process may run on, at least 1
    static Times timesNow();

  private:
    double cores_;
    std::function<Times()> times_;
    Times previous_;
};

}  // namespace threefold
