#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace threefold {

/// `text` without the characters of `blanks` at its beginning and end.
std::string_view trimmed(std::string_view text, std::string_view blanks);

/// `text` with A to Z as a to z.
std::string lowered(std::string_view text);

/// Shortens a text of more than 200 bytes for a message: to its beginning, an ellipsis and its
/// length. Never splits a UTF-8 character.
std::string shortened(std::string_view text);

/// A text file converted for its parsers: UTF-8 without a byte order mark, lines ending with '\n'.
/// Converts UTF-16 of either byte order if the text begins with a byte order mark, and texts whose
/// lines end with '\r' alone; leaves other texts unchanged. Malformed UTF-16 becomes U+FFFD. Takes
/// memory of at most 1.5 × the bytes.
class Utf8Text {
  public:
    /// `bytes` must outlive the text.
    explicit Utf8Text(std::string_view bytes);
    Utf8Text(const Utf8Text&) = delete;
    Utf8Text& operator=(const Utf8Text&) = delete;

    std::string_view text() const { return text_; }

  private:
    std::optional<std::string> converted_;
    std::string_view text_;
};

}  // namespace threefold
