#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace threefold {

/// The text in UTF-8 with '\n' at its lines' ends, where the bytes are something else: UTF-16 of
/// either order with its byte order mark, or a text whose lines end with '\r' alone. Nothing where
/// the bytes can stay as they are. What is no character becomes U+FFFD. Takes at most 1.5 × the
/// bytes.
std::optional<std::string> plainText(std::string_view bytes);

/// Without the byte order mark of UTF-8.
std::string_view withoutMark(std::string_view bytes);

/// What readers of texts are given: plainText() where the bytes need it, without any mark.
class PlainText {
  public:
    /// `bytes` must outlive it.
    explicit PlainText(std::string_view bytes)
        : converted_(plainText(bytes)), text_(withoutMark(converted_ ? *converted_ : bytes)) {}
    PlainText(const PlainText&) = delete;
    PlainText& operator=(const PlainText&) = delete;

    std::string_view text() const { return text_; }

  private:
    std::optional<std::string> converted_;
    std::string_view text_;
};

}  // namespace threefold
