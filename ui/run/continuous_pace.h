#pragma once

#include <cstddef>
#include <deque>

namespace threefold::ui {

/// Decides whether a newer request may stop the running one: only if that has run for less than
/// half the median duration, and a result was shown within twice that duration, so that endless
/// scrubbing still shows something. Before the first run has ended nothing is stopped. Times are
/// milliseconds of one clock.
class ContinuousPace {
  public:
    void begin(double now);              ///< a run starts, stopping the one before
    void finish(double now);             ///< it ended and its result is shown
    void rest() { waitingSince_ = -1; }  ///< nothing runs or waits

    bool mayStop(double now) const;
    /// Median of the last runs; 0 before the first.
    double expected() const;

  private:
    static constexpr std::size_t kRemembered = 8;

    std::deque<double> durations_;
    double begun_ = 0;
    double waitingSince_ = -1;  // for something to be shown; −1: not waiting
};

}  // namespace threefold::ui
