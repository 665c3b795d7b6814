#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace threefold {

/// `text` without the characters of `blanks` at its beginning and end.
std::string_view trimmed(std::string_view text, std::string_view blanks);

/// `text` with A to Z as a to z.
std::string lowered(std::string_view text);

/// The beginning of a text of a file for a message: at most `maxBytes`, without a character of
/// UTF-8 that is cut.
std::string_view textPrefix(std::string_view text, std::size_t maxBytes);

/// Shortens a text of more than 200 bytes for a message: its beginning, an ellipsis and its length.
/// Never splits a UTF-8 character.
std::string shortened(std::string_view text);

/// Whether the text is UTF-8, without surrogates.
bool isUtf8(std::string_view text);

/// Appends a code point, which may be a lone surrogate, in UTF-8.
void appendUtf8(std::string& text, std::uint32_t code);

/// A text file converted for its parsers: UTF-8 without a byte order mark, lines ending with '\n'.
/// Converts UTF-16 of either byte order that has its mark, and texts whose lines end with '\r'
/// alone; leaves other texts unchanged. Malformed UTF-16 becomes U+FFFD. Takes at most 1.5 × the
/// bytes.
class PlainText {
  public:
    /// `bytes` must outlive the text.
    explicit PlainText(std::string_view bytes);
    PlainText(const PlainText&) = delete;
    PlainText& operator=(const PlainText&) = delete;

    std::string_view text() const { return text_; }

  private:
    std::optional<std::string> converted_;
    std::string_view text_;
};

/// Whether the text begins with "data:".
bool isDataUri(std::string_view uri);
/// Content of a "data:" URI, base64 or percent-encoded; nullopt if damaged. Never longer than the
/// URI.
std::optional<std::vector<std::byte>> decodeDataUri(std::string_view uri);

/// Encodes as base64 (RFC 4648), with padding. Any thread.
std::string encodeBase64(std::span<const std::byte> bytes);

/// Decodes "my%20file.png" to "my file.png"; leaves anything else unchanged.
std::string decodePercents(std::string_view uri);

}  // namespace threefold
