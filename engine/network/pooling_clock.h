#pragma once

#include <cstddef>
#include <vector>

#include "engine/profile/stopwatch.h"

namespace threefold {

/// How much of a loop's wall time its threads spend on pooling. They pool and multiply in turns of
/// their own, so the loop's wall time is divided as the sums of their times are. Threads may add
/// times at once, each under its own number; all else is for the thread that waits for the loop.
class PoolingClock {
  public:
    /// Starts the loop's time; `threads` is the count of parallelFor().
    explicit PoolingClock(int threads) : times_(static_cast<std::size_t>(threads)) {}

    /// One item of the loop: milliseconds of its pooling, and of all its work.
    void add(std::size_t thread, double pooling, double all) {
        times_[thread].pooling += pooling;
        times_[thread].all += all;
    }

    /// Of the wall time since the beginning, the share that went into pooling.
    double milliseconds() const {
        double pooling = 0;
        double all = 0;
        for (const Times& thread : times_) {
            pooling += thread.pooling;
            all += thread.all;
        }
        return all > 0 ? watch_.milliseconds() * pooling / all : 0;
    }

  private:
    struct alignas(64) Times {  // a cache line each
        double pooling = 0;
        double all = 0;
    };
    std::vector<Times> times_;
    Stopwatch watch_;
};

}  // namespace threefold
