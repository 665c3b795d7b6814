#pragma once

#include <cstdint>
#include <optional>

namespace threefold {

/// Main memory of this process now, in bytes (resident set size); nullopt if unknown. Thread-safe.
std::optional<std::uint64_t> residentBytes();

/// Largest residentBytes() of this process so far; nullopt if unknown. Thread-safe.
std::optional<std::uint64_t> peakResidentBytes();

}  // namespace threefold
