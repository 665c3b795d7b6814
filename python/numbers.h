#pragma once

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "engine/error.h"

namespace threefold::python {

inline constexpr double kMaxThreads = 1024;
inline constexpr double kMaxCoordinate = 1e30;  ///< of a coordinate: its square is finite as well

/// Throws UsageError, which names the argument and its range, unless it is finite and within.
inline void requireNumber(const char* argument, double value, double min, double max) {
    if (std::isfinite(value) && value >= min && value <= max) return;
    throw UsageError({argument, "", fmt::format("{}: expected {:g} to {:g}", value, min, max),
                      "Give a number in this range."});
}

}  // namespace threefold::python
