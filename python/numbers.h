#pragma once

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "engine/error.h"

namespace threefold::python {

/// Throws UsageError, which names `argument` and the range, unless `value` is finite and in
/// [min, max].
inline void requireNumber(const char* argument, double value, double min, double max) {
    if (std::isfinite(value) && value >= min && value <= max) return;
    throw UsageError({argument, "", fmt::format("{}: expected {:g} to {:g}", value, min, max),
                      "Give a number in this range."});
}

}  // namespace threefold::python
