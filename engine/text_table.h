#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace threefold {

/// Table of text: aligned columns with two blanks between them. Widths count UTF-8 characters.
class TextTable {
  public:
    /// `columns`: one alignment per column, 'l' or 'r'. Every row needs as many cells.
    explicit TextTable(std::string columns) : columns_(std::move(columns)) {}

    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    bool empty() const { return rows_.empty(); }

    /// One line per row, prefixed with `indent`, without trailing blanks.
    std::string text(std::string_view indent = "") const;

  private:
    std::string columns_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace threefold
