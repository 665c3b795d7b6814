#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace threefold::pickle {

/// The whole line as a decimal integer or floating-point number (inf and nan included); nothing
/// where it is something else or does not fit.
std::optional<std::int64_t> fromDecimal(std::string_view line);
std::optional<double> fromDecimalFloat(std::string_view line);

/// Little-endian two's complement of any width, zero bytes included; nothing beyond 64 bits.
std::optional<std::int64_t> fromTwosComplement(std::span<const std::byte> bytes);

}  // namespace threefold::pickle
