#pragma once

#include <cstddef>
#include <deque>

namespace threefold::ui {

/// Decides whether a newer request may stop the one that runs. It may while that has run for less
/// than half of what runs take (their median), so that the newest wins; but not where nothing has
/// come to the screen for twice that time, so that endless scrubbing still shows something: at the
/// latest three runs' time after the last one. Before the first run has ended nothing is stopped.
/// Times are milliseconds of one clock.
class ContinuousPace {
  public:
    void begin(double now);   ///< a run begins; one that ran before it was stopped
    void finish(double now);  ///< it ended, and its result is shown
    void rest();              ///< nothing runs or waits any more: no one is kept waiting

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
