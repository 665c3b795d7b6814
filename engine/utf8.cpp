#include "engine/utf8.h"

#include <algorithm>

namespace threefold {

std::optional<std::uint32_t> parseUtf8(std::string_view& text) {
    const auto byteAt = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byteAt(0);
    const int extra = first < 0x80   ? 0
                      : first < 0xc2 ? -1
                      : first < 0xe0 ? 1
                      : first < 0xf0 ? 2
                      : first < 0xf5 ? 3
                                     : -1;
    if (extra < 0 || text.size() <= static_cast<std::size_t>(extra)) return std::nullopt;
    std::uint32_t code = extra == 0 ? first : first & (0x3fu >> extra);
    for (int i = 1; i <= extra; ++i) {
        const unsigned char next = byteAt(static_cast<std::size_t>(i));
        if ((next & 0xc0) != 0x80) return std::nullopt;
        code = code << 6 | (next & 0x3fu);
    }
    constexpr std::uint32_t kMinCode[] = {0, 0x80, 0x800, 0x10000};
    if (code < kMinCode[extra] || code > 0x10ffff) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(extra) + 1);
    return code;
}

std::size_t characterCount(std::string_view text) {
    const auto isContinuation = [](char c) { return (static_cast<unsigned char>(c) >> 6) == 2; };
    return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, isContinuation));
}

bool isUtf8(std::string_view text) {
    const auto isSurrogate = [](std::uint32_t code) { return code >= 0xd800 && code < 0xe000; };
    while (!text.empty()) {
        const std::optional<std::uint32_t> code = parseUtf8(text);
        if (!code || isSurrogate(*code)) return false;
    }
    return true;
}

void appendUtf8(std::string& text, std::uint32_t code) {
    const auto add = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (code < 0x80) return add(code);
    if (code < 0x800) {
        add(0xc0U | code >> 6U);
    } else if (code < 0x10000) {
        add(0xe0U | code >> 12U);
        add(0x80U | (code >> 6U & 0x3fU));
    } else {
        add(0xf0U | code >> 18U);
        add(0x80U | (code >> 12U & 0x3fU));
        add(0x80U | (code >> 6U & 0x3fU));
    }
    add(0x80U | (code & 0x3fU));
}

std::string_view textPrefix(std::string_view text, std::size_t maxBytes) {
    if (text.size() <= maxBytes) return text;
    // Maximum number of bytes after the first byte of a character.
    constexpr std::size_t kMaxFollowing = 3;
    const auto follows = [&](std::size_t at) {
        return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
    };
    std::size_t end = maxBytes;
    while (end > 0 && maxBytes - end < kMaxFollowing && follows(end)) --end;
    // More than kMaxFollowing continuation bytes in a row are not UTF-8: then the text is cut at
    // `maxBytes`.
    return text.substr(0, follows(end) ? maxBytes : end);
}

}  // namespace threefold
