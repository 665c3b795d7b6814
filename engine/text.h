#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace threefold {

/// Splits text at a separator. Returns one part more than there are separators.
inline std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts(1);
    for (const char c : text)
        if (c == separator)
            parts.emplace_back();
        else
            parts.back() += c;
    return parts;
}

/// Parses the whole text as a number with std::from_chars(); nullopt if that fails.
template <class Number>
std::optional<Number> parseNumber(std::string_view text) {
    Number number{};
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, number);
    return error == std::errc{} && end == last ? std::optional(number) : std::nullopt;
}

/// The text with control characters written as \xNN, a newline as \n, so that a file's name can
/// neither break a line nor control the terminal. Characters in `allowed` and all other bytes stay,
/// even if they are not UTF-8.
std::string escapeControls(std::string_view text, std::string_view allowed = {});

/// Returns the JSON with the characters U+007F to U+009F, which some terminals interpret, written
/// as \u007f to \u009f.
std::string escapeControlsInJson(std::string_view json);

/// Escapes text for HTML and SVG, in elements or attributes. ASCII controls become blanks;
/// bytes that are not UTF-8, and code points that XML forbids, become U+FFFD.
std::string escapeHtml(std::string_view text);

/// Formats text as a CSV field (RFC 4180), quoted if it contains a comma, a quote or a line end.
/// An apostrophe precedes a leading =, +, - or @, which would start a formula in a spreadsheet,
/// unless the text is a number.
std::string csvField(std::string_view text);

/// Natural order of names: view2 before view10. Numbers compare by value; all else, and names that
/// differ only in leading zeros, compare byte by byte.
bool naturalLess(std::string_view one, std::string_view other);

}  // namespace threefold
