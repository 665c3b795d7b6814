#pragma once

#include <optional>
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

}  // namespace threefold::pickle
