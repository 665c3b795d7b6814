#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace threefold::pickle {

/// Each character as the one byte it is in latin1; nothing where the text is not UTF-8 or has other
/// characters.
std::optional<std::string> latin1FromUtf8(std::string_view text);

/// Python's way of UTF-8, which lets lone surrogates pass.
bool isUtf8(std::string_view text);

/// Protocol 0's text: latin1 with \uXXXX and \UXXXXXXXX, to UTF-8. Nothing where it is malformed.
std::optional<std::string> fromRawUnicodeEscape(std::string_view text);

/// Protocol 0's bytes: what repr() of a Python 2 string gives, quotes included. Nothing where it
/// is malformed.
std::optional<std::string> fromQuotedString(std::string_view text);

/// The whole line as a decimal integer or floating-point number (inf and nan included); nothing
/// where it is something else or does not fit.
std::optional<std::int64_t> fromDecimal(std::string_view line);
std::optional<double> fromDecimalFloat(std::string_view line);

/// Little-endian two's complement of any width, zero bytes included; nothing beyond 64 bits.
std::optional<std::int64_t> fromTwosComplement(std::span<const std::byte> bytes);

}  // namespace threefold::pickle
