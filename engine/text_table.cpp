#include "engine/text_table.h"

#include <algorithm>
#include <cstddef>

#include "engine/text.h"
#include "engine/utf8.h"

namespace threefold {

std::string TextTable::text(std::string_view indent) const {
    std::vector<std::size_t> widths(columns_.size(), 0);
    for (const auto& row : rows_) {
        for (std::size_t c = 0; c < row.size(); ++c) {
            widths[c] = std::max(widths[c], characterCount(row[c]));
        }
    }
    std::string result;
    for (const auto& row : rows_) {
        std::string line(indent);
        for (std::size_t c = 0; c < row.size(); ++c) {
            const std::string blanks(widths[c] - characterCount(row[c]), ' ');
            if (c > 0) line += "  ";
            line += columns_[c] == 'r' ? blanks + row[c] : row[c] + blanks;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        result += line + '\n';
    }
    return result;
}

}  // namespace threefold
