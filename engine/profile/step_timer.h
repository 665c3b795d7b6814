#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "engine/profile/stopwatch.h"

namespace threefold {

/// Elapsed time of a named step.
struct StepTime {
    std::string_view step;  ///< a string literal
    double milliseconds = 0;
};

/// Measures the wall times of named steps. A step that runs again adds to its time. Not
/// thread-safe.
class StepTimer {
  public:
    /// Runs `work` as the step and returns its result. If `work` throws, its time is not counted.
    template <class Work>
    auto timed(std::string_view step, const Work& work) {
        const Stopwatch watch;
        auto result = work();
        add(step, watch.milliseconds());
        return result;
    }

    void add(std::string_view step, double milliseconds);

    /// The steps' times, in the order in which the steps first ended.
    const std::vector<StepTime>& times() const { return times_; }

  private:
    std::vector<StepTime> times_;
};

}  // namespace threefold
