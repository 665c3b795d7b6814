#pragma once

#include <cstddef>
#include <stop_token>

#include "engine/error.h"

namespace threefold {

/// Throws Cancelled if it is requested. Looks at every 4096th index only, for loops that call
/// pollCancel() with each.
inline void pollCancel(std::size_t index, const std::stop_token& cancel) {
    constexpr std::size_t kIndicesPerPoll = 4096;
    if (index % kIndicesPerPoll == 0 && cancel.stop_requested()) throw Cancelled();
}

}  // namespace threefold
