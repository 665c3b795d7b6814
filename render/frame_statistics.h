#pragma once

#include <chrono>
#include <cstdint>

namespace threefold::render {

/// Times and memory of one presented frame.
struct FrameStatistics {
    std::chrono::steady_clock::time_point start;
    double milliseconds = 0;  ///< from `start` to presentation, including waits for the device
    /// Part of `milliseconds` for building and recording the profile panel; 0 without one.
    double profileMilliseconds = 0;
    std::uint64_t deviceBytes = 0;  ///< device memory held by the program
};

}  // namespace threefold::render
