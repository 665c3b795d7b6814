#include "app/console/help_formatter.h"

#include <algorithm>
#include <cstddef>

#include "engine/text.h"
#include "engine/utf8.h"

namespace threefold {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kColumn = 36;

}  // namespace

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
    std::string lines;
    std::size_t used = 0;
    const auto breakLine = [&] {
        lines += '\n' + std::string(indent, ' ');
        used = 0;
    };
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
        const std::string_view word = text.substr(0, end);
        const std::size_t length = characterCount(word);
        if (used > 0 && indent + used + 1 + length > width) breakLine();
        if (used > 0 && length > 0) lines += ' ';
        used += length + (used > 0 && length > 0 ? 1 : 0);
        lines += word;
        if (end < text.size() && text[end] == '\n') breakLine();
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

HelpFormatter::HelpFormatter() {
    column_width(kColumn);
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool isPositional) const {
    std::string name = make_option_name(option, isPositional);
    // Suffix that CLI11 adds to the names of flags that turn something off.
    constexpr std::string_view kOff = "{false}";
    for (std::size_t at = name.find(kOff); at != name.npos; at = name.find(kOff))
        name.erase(at, kOff.size());
    std::string line = "  " + name + make_option_opts(option);
    std::string about = make_option_desc(option);
    if (!isPositional && option->get_required()) about += " (required)";
    const std::size_t length = characterCount(line);
    if (length < kColumn)
        line += std::string(kColumn - length, ' ');
    else if (!about.empty())
        line += '\n' + std::string(kColumn, ' ');
    return line + wrapped(about, kWidth, kColumn) + '\n';
}

}  // namespace threefold
