#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace threefold {

/// Without such characters at its beginning and end.
std::string_view trimmed(std::string_view text, std::string_view blanks);

/// With A to Z as a to z.
std::string lowered(std::string_view text);

/// Appends a code point, which may be a lone surrogate, in UTF-8.
void appendUtf8(std::string& text, std::uint32_t code);

/// A text file converted for its readers: in UTF-8, without a byte order mark, lines that end with
/// '\n'. Converts UTF-16 of either order with its byte order mark, and texts whose lines end with
/// '\r' alone; anything else stays unchanged. Malformed characters become U+FFFD. Takes at most
/// 1.5 × the bytes.
class PlainText {
  public:
    /// `bytes` must outlive it.
    explicit PlainText(std::string_view bytes);
    PlainText(const PlainText&) = delete;
    PlainText& operator=(const PlainText&) = delete;

    std::string_view text() const { return text_; }

  private:
    std::optional<std::string> converted_;
    std::string_view text_;
};

bool isDataUri(std::string_view uri);
/// The content of a "data:" URI, in base64 or percent-encoded; nothing if damaged. At most as many
/// bytes as the URI has.
std::optional<std::vector<std::byte>> decodeDataUri(std::string_view uri);

/// RFC 4648, with padding. Any thread.
std::string encodeBase64(std::span<const std::byte> bytes);

/// "my%20file.png" as "my file.png". Anything else stays as it is.
std::string decodePercents(std::string_view uri);

}  // namespace threefold
