#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace threefold {

/// Columns of text, aligned with two blanks between them. Widths count UTF-8 characters.
class Table {
  public:
    enum class Align { left, right };

    /// `columns`: how each column is aligned; every row has that many cells.
    explicit Table(std::vector<Align> columns) : columns_(std::move(columns)) {}

    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    bool empty() const { return rows_.empty(); }

    /// One line a row, each behind `indent`, without blanks at the end.
    std::string text(std::string_view indent = "") const;

  private:
    std::vector<Align> columns_;
    std::vector<std::vector<std::string>> rows_;
};

/// Characters, not bytes, of UTF-8 text.
std::size_t characterCount(std::string_view text);

}  // namespace threefold
