#pragma once

#include <cstddef>
#include <vector>

#include "engine/profile/stopwatch.h"

namespace threefold {

/// Measures the part of a loop's wall time that is spent on pooling. The loop's threads alternate
/// between pooling and products independently, so the wall time is divided in proportion to the
/// times summed over the threads. Any thread may call add(), with its own index; only the thread
/// that started the loop may call the other functions.
class PoolingTimer {
  public:
    /// Starts the clock. `threads`: as passed to parallelFor().
    explicit PoolingTimer(int threads) : times_(static_cast<std::size_t>(threads)) {}

    /// Adds one iteration: the milliseconds of its pooling, and its milliseconds in total.
    void add(std::size_t thread, double pooling, double total) {
        times_[thread].pooling += pooling;
        times_[thread].total += total;
    }

    /// The part of the wall time since construction that went into pooling.
    double milliseconds() const {
        double pooling = 0;
        double total = 0;
        for (const Times& thread : times_) {
            pooling += thread.pooling;
            total += thread.total;
        }
        return total > 0 ? watch_.milliseconds() * pooling / total : 0;
    }

  private:
    struct alignas(64) Times {  // one cache line per thread
        double pooling = 0;
        double total = 0;
    };
    std::vector<Times> times_;
    Stopwatch watch_;
};

}  // namespace threefold
