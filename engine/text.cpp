#include "engine/text.h"

#include <algorithm>
#include <cstdint>

#include "engine/utf8.h"
#include <fmt/format.h>

namespace threefold {
namespace {

/// Bytes of the UTF-8 character that begins at `offset`; 0 if no valid character begins there, or
/// XML forbids the character.
std::size_t lengthOf(std::string_view text, std::size_t offset) {
    std::string_view rest = text.substr(offset);
    const std::optional<std::uint32_t> code = parseUtf8(rest);
    const auto isForbidden = [](std::uint32_t c) {
        return (c >= 0xD800 && c < 0xE000) || c == 0xFFFE || c == 0xFFFF;
    };
    return code && !isForbidden(*code) ? text.size() - offset - rest.size() : 0;
}

/// Bytes of the control character at `offset`; 0 if there is none.
std::size_t controlLength(std::string_view text, std::size_t offset) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (byte(offset) < 0x20 || byte(offset) == 0x7F) return 1;
    // U+0080 to U+009F in UTF-8: some terminals interpret these, too.
    const bool second = byte(offset) == 0xC2 && offset + 1 < text.size();
    return second && byte(offset + 1) >= 0x80 && byte(offset + 1) < 0xA0 ? 2 : 0;
}

}  // namespace

std::string escapeControls(std::string_view text, std::string_view allowed) {
    std::string shown;
    shown.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::size_t length = controlLength(text, i);
        if (length == 0 || allowed.find(text[i]) != std::string_view::npos) {
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

std::string escapeControlsInJson(std::string_view json) {
    std::string shown;
    shown.reserve(json.size());
    for (std::size_t i = 0; i < json.size(); ++i) {
        const std::size_t length = controlLength(json, i);
        // Other control characters are escaped already, except newlines between elements.
        if (length == 0 || static_cast<unsigned char>(json[i]) < 0x20) {
            shown += json[i];
            continue;
        }
        i += length - 1;
        shown += fmt::format("\\u{:04x}", static_cast<unsigned char>(json[i]));
    }
    return shown;
}

std::string escapeHtml(std::string_view text) {
    constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
    std::string safe;
    for (std::size_t offset = 0; offset < text.size();) {
        const std::size_t length = lengthOf(text, offset);
        const char c = text[offset];
        if (length > 1)
            safe += text.substr(offset, length);
        else if (length == 0)
            safe += kReplacement;
        else
            safe += c == '<'                                             ? "&lt;"
                    : c == '>'                                           ? "&gt;"
                    : c == '&'                                           ? "&amp;"
                    : c == '"'                                           ? "&quot;"
                    : static_cast<unsigned char>(c) < ' ' || c == '\x7F' ? " "
                                                                         : std::string(1, c);
        offset += std::max<std::size_t>(length, 1);
    }
    return safe;
}

bool naturalLess(std::string_view one, std::string_view other) {
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    const auto number = [&](std::string_view text, std::size_t& position) {
        const std::size_t first = position;
        while (position < text.size() && isDigit(text[position])) ++position;
        std::string_view digits = text.substr(first, position - first);
        digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
        return digits;
    };
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < one.size() && j < other.size()) {
        if (isDigit(one[i]) && isDigit(other[j])) {
            const std::string_view a = number(one, i);
            const std::string_view b = number(other, j);
            if (a.size() != b.size()) return a.size() < b.size();
            if (a != b) return a < b;
        } else {
            if (one[i] != other[j])
                return static_cast<unsigned char>(one[i]) < static_cast<unsigned char>(other[j]);
            ++i;
            ++j;
        }
    }
    if (i < one.size() || j < other.size()) return i == one.size();
    return one < other;
}

std::string csvField(std::string_view text) {
    constexpr std::string_view kFormulas = "=+-@";
    const bool isFormula =
        !text.empty() && kFormulas.find(text.front()) != text.npos && !parseNumber<double>(text);
    std::string field = (isFormula ? "'" : "") + std::string(text);
    if (field.find_first_of(",\"\r\n") == field.npos) return field;
    std::string out = "\"";
    for (const char c : field) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + '"';
}

}  // namespace threefold
