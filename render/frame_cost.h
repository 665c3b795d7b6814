#pragma once

#include <chrono>
#include <cstdint>

namespace threefold::render {

/// What one presented frame took.
struct FrameCost {
    std::chrono::steady_clock::time_point begun;
    double milliseconds = 0;  ///< from there to presenting it, waiting for the device included
    double overlayMilliseconds = 0;  ///< of them, building and recording the overlay; 0 without one
    std::uint64_t deviceBytes = 0;   ///< device memory held by the program
};

}  // namespace threefold::render
