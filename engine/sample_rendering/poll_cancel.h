#pragma once

#include <cstddef>
#include <stop_token>

#include "engine/error.h"

namespace threefold {

/// Throws Cancelled if cancellation is requested. Checks at every 4096th index only, so that a loop
/// can call it for each index.
inline void pollCancel(std::size_t index, const std::stop_token& cancel) {
    constexpr std::size_t kIndicesPerPoll = 4096;
    if (index % kIndicesPerPoll == 0 && cancel.stop_requested()) throw Cancelled();
}

}  // namespace threefold
