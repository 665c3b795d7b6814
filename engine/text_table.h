#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace threefold {

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

/// Characters, not bytes, of UTF-8 text.
std::size_t characterCount(std::string_view text);

}  // namespace threefold
