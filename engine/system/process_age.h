#pragma once

#include <optional>

namespace threefold {

/// Time since this process started, in milliseconds, in steps of the kernel's clock tick (10 ms on
/// most systems); nullopt if unknown. Thread-safe.
std::optional<double> processAgeMilliseconds();

}  // namespace threefold
