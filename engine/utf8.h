#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Characters of UTF-8 text.
namespace threefold {

/// Removes the first character of a text that is not empty, and returns its code point, which may
/// be a lone surrogate; nullopt, and no change, if the text does not begin with UTF-8.
std::optional<std::uint32_t> parseUtf8(std::string_view& text);

/// Number of code points in UTF-8 text.
std::size_t characterCount(std::string_view text);

/// Whether the text is UTF-8, without surrogates.
bool isUtf8(std::string_view text);

/// Appends a code point, which may be a lone surrogate, in UTF-8.
void appendUtf8(std::string& text, std::uint32_t code);

/// The first bytes of a text, at most `maxBytes`, without cutting a UTF-8 character.
std::string_view textPrefix(std::string_view text, std::size_t maxBytes);

}  // namespace threefold
