#include "engine/formats/pickle/pickle_text.h"

#include <algorithm>
#include <charconv>

#include "engine/text.h"
#include "engine/utf8.h"

namespace threefold::pickle {
namespace {

/// Removes `count` digits from the front and returns their value; nullopt if there are fewer.
std::optional<std::uint32_t> parseDigits(std::string_view& text, std::size_t count, int base) {
    std::uint32_t value = 0;
    if (text.size() < count) return std::nullopt;
    const char* end = text.data() + count;
    const auto result = std::from_chars(text.data(), end, value, base);
    if (result.ec != std::errc{} || result.ptr != end) return std::nullopt;
    text.remove_prefix(count);
    return value;
}

/// Parses an escape of a Python 2 string, after its backslash, and appends its meaning to `out`.
/// False if malformed.
bool parseEscape(std::string_view& text, std::string& out) {
    constexpr std::string_view kLetters = "\\'\"abfnrtv";
    constexpr std::string_view kMeanings = "\\'\"\a\b\f\n\r\t\v";
    if (text.empty()) return false;
    const char letter = text[0];
    if (const std::size_t i = kLetters.find(letter); i != std::string_view::npos) {
        out += kMeanings[i];
        text.remove_prefix(1);
        return true;
    }
    std::optional<std::uint32_t> code;
    if (letter == 'x') {
        text.remove_prefix(1);
        code = parseDigits(text, 2, 16);
    } else if (letter >= '0' && letter <= '7') {
        std::size_t count = 1;
        while (count < 3 && count < text.size() && text[count] >= '0' && text[count] <= '7')
            ++count;
        code = parseDigits(text, count, 8);
    } else {
        out += '\\';  // Python keeps the backslash of an escape that it does not know
        return true;
    }
    if (!code || *code > 0xff) return false;
    out += static_cast<char>(*code);
    return true;
}

}  // namespace

std::optional<std::string> latin1FromUtf8(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size());
    while (!text.empty()) {
        const std::optional<std::uint32_t> code = parseUtf8(text);
        if (!code || *code > 0xff) return std::nullopt;
        bytes += static_cast<char>(*code);
    }
    return bytes;
}

bool isUtf8WithSurrogates(std::string_view text) {
    while (!text.empty())
        if (!parseUtf8(text)) return false;
    return true;
}

std::optional<std::string> fromRawUnicodeEscape(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const bool narrow = text.starts_with("\\u"), wide = text.starts_with("\\U");
        if (!narrow && !wide) {
            appendUtf8(out, static_cast<unsigned char>(text[0]));
            text.remove_prefix(1);
            continue;
        }
        text.remove_prefix(2);
        const std::optional<std::uint32_t> code = parseDigits(text, narrow ? 4 : 8, 16);
        if (!code || *code > 0x10ffff) return std::nullopt;
        appendUtf8(out, *code);
    }
    return out;
}

std::optional<std::string> fromQuotedString(std::string_view text) {
    const bool quoted =
        text.size() >= 2 && (text[0] == '\'' || text[0] == '"') && text.back() == text.front();
    if (!quoted) return std::nullopt;
    text = text.substr(1, text.size() - 2);
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const char next = text[0];
        text.remove_prefix(1);
        if (next != '\\')
            out += next;
        else if (!parseEscape(text, out))
            return std::nullopt;
    }
    return out;
}

std::optional<std::int64_t> fromTwosComplement(std::span<const std::byte> bytes) {
    const bool negative = !bytes.empty() && (bytes.back() & std::byte{0x80}) != std::byte{0};
    const std::byte sign = negative ? std::byte{0xff} : std::byte{0};
    const std::size_t valueBytes = std::min<std::size_t>(bytes.size(), sizeof(std::int64_t));
    std::uint64_t value = negative ? ~std::uint64_t{0} : 0;
    for (std::size_t i = valueBytes; i-- > 0;)
        value = value << 8 | std::to_integer<std::uint64_t>(bytes[i]);

    // Bytes beyond 64 bits may only repeat the sign.
    const auto rest = bytes.subspan(valueBytes);
    const bool repeats = std::ranges::count(rest, sign) == std::ssize(rest);
    const auto result = static_cast<std::int64_t>(value);
    if (!repeats || (result < 0) != negative) return std::nullopt;
    return result;
}

}  // namespace threefold::pickle
