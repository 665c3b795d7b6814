#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// Texts and integers as pickle's protocols write them.
namespace threefold::pickle {

/// Converts UTF-8 to latin1; nullopt if the text is not UTF-8 or has characters beyond latin1.
std::optional<std::string> latin1FromUtf8(std::string_view text);

/// Whether the text is Python's UTF-8, which allows lone surrogates.
bool isUtf8WithSurrogates(std::string_view text);

/// Converts protocol 0's text (latin1 with \uXXXX and \UXXXXXXXX) to UTF-8; nullopt if malformed.
std::optional<std::string> fromRawUnicodeEscape(std::string_view text);

/// Decodes protocol 0's bytes: repr() of a Python 2 string, with its quotes; nullopt if malformed.
std::optional<std::string> fromQuotedString(std::string_view text);

/// Decodes a little-endian two's complement of any width; 0 for no bytes, nullopt beyond 64 bits.
std::optional<std::int64_t> fromTwosComplement(std::span<const std::byte> bytes);

}  // namespace threefold::pickle
