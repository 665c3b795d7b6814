#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace threefold {

/// What stands between the marks: one part more than there are marks.
inline std::vector<std::string> split(std::string_view text, char mark) {
    std::vector<std::string> parts(1);
    for (const char c : text)
        if (c == mark)
            parts.emplace_back();
        else
            parts.back() += c;
    return parts;
}

/// The number that the text is from its first to its last character, as std::from_chars() reads it.
template <class Number>
std::optional<Number> numberFrom(std::string_view text) {
    Number number{};
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, number);
    return error == std::errc{} && end == last ? std::optional(number) : std::nullopt;
}

/// The text as it stands in HTML and SVG, between elements or in an attribute; control characters
/// become blanks, and what is not UTF-8, or no character of XML, U+FFFD.
std::string escapedMarkup(std::string_view text);

/// The text as a field of a CSV file (RFC 4180): quoted if it contains a comma, a quote or a line
/// end. Before =, +, - and @, with which a spreadsheet's formulas begin, stands an apostrophe,
/// unless the text is a number.
std::string csvField(std::string_view text);

/// Columns of text, aligned with two blanks between them. Widths count UTF-8 characters.
class Table {
  public:
    /// `columns`: how each is aligned, 'l' or 'r'; every row has that many cells.
    explicit Table(std::string columns) : columns_(std::move(columns)) {}

    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    bool empty() const { return rows_.empty(); }

    /// One line a row, each behind `indent`, without blanks at the end.
    std::string text(std::string_view indent = "") const;

  private:
    std::string columns_;
    std::vector<std::vector<std::string>> rows_;
};

/// Whether one name stands before another as people count: view2 before view10. Numbers compare by
/// their value, everything else byte by byte; names that differ in leading zeros alone byte by
/// byte.
bool naturallyBefore(std::string_view one, std::string_view other);

/// Characters, not bytes, of UTF-8 text.
std::size_t characterCount(std::string_view text);

}  // namespace threefold
