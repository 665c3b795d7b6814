#include "app/console/printable.h"

#include <cstddef>

#include <fmt/format.h>

namespace threefold {
namespace {

/// How many bytes the control character takes that begins at `at`; 0 where none does.
std::size_t controlLength(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (byte(at) < 0x20 || byte(at) == 0x7F) return 1;
    // U+0080 to U+009F in UTF-8: some terminals obey these as well.
    const bool second = byte(at) == 0xC2 && at + 1 < text.size();
    return second && byte(at + 1) >= 0x80 && byte(at + 1) < 0xA0 ? 2 : 0;
}

}  // namespace

std::string printable(std::string_view text, std::string_view kept) {
    std::string shown;
    shown.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::size_t length = controlLength(text, i);
        if (length == 0 || kept.find(text[i]) != std::string_view::npos) {
            shown += text[i];
        } else if (text[i] == '\n') {
            shown += "\\n";
        } else {
            for (const char c : text.substr(i, length))
                shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
            i += length - 1;
        }
    }
    return shown;
}

std::string printableJson(std::string_view json) {
    std::string shown;
    shown.reserve(json.size());
    for (std::size_t i = 0; i < json.size(); ++i) {
        const std::size_t length = controlLength(json, i);
        // The others are escaped already, but for the newlines between its parts.
        if (length == 0 || static_cast<unsigned char>(json[i]) < 0x20) {
            shown += json[i];
            continue;
        }
        i += length - 1;
        shown += fmt::format("\\u{:04x}", static_cast<unsigned char>(json[i]));
    }
    return shown;
}

std::string leftText(double seconds) {
    const auto whole = static_cast<long long>(seconds);
    const long long minutes = whole / 60;
    const std::string hours = minutes < 60 ? "" : fmt::format("{}:", minutes / 60);
    return fmt::format("  {}{:0{}}:{:02} left", hours, minutes % 60, hours.empty() ? 1 : 2,
                       whole % 60);
}

}  // namespace threefold
