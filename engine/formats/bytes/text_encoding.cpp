#include "engine/formats/bytes/text_encoding.h"

#include <algorithm>
#include <cstdint>

namespace threefold {
namespace {

std::string fromUtf16(std::string_view bytes, bool big) {
    constexpr std::uint32_t kReplacement = 0xfffd;
    const auto unit = [&](std::size_t at) -> std::uint32_t {
        const auto first = static_cast<std::uint8_t>(bytes[at]);
        const auto second = static_cast<std::uint8_t>(bytes[at + 1]);
        return big ? first * 256U + second : second * 256U + first;
    };
    std::string text;
    // Half of it for ASCII, three bytes for two at the worst: no growing, which takes both.
    text.reserve(bytes.size() + bytes.size() / 2 + 4);
    std::size_t at = 0;
    for (; at + 1 < bytes.size(); at += 2) {
        std::uint32_t code = unit(at);
        if (code >= 0xd800 && code < 0xe000) {
            const bool pair = code < 0xdc00 && at + 3 < bytes.size() && unit(at + 2) >= 0xdc00 &&
                              unit(at + 2) < 0xe000;
            if (pair) {
                code = 0x10000 + ((code - 0xd800) << 10U) + (unit(at + 2) - 0xdc00);
                at += 2;
            } else {
                code = kReplacement;
            }
        }
        appendUtf8(text, code);
    }
    if (at < bytes.size()) appendUtf8(text, kReplacement);
    return text;
}

bool endsLinesWithReturns(std::string_view text) {
    return text.find('\n') == text.npos && text.find('\r') != text.npos;
}

/// The text in UTF-8 with '\n' at its lines' ends; nothing where the bytes can stay as they are.
std::optional<std::string> converted(std::string_view bytes) {
    const bool little = bytes.starts_with("\xff\xfe");
    const bool big = bytes.starts_with("\xfe\xff");
    std::optional<std::string> text;
    if (little || big) text = fromUtf16(bytes.substr(2), big);
    if (!text && endsLinesWithReturns(bytes)) text = std::string(bytes);
    if (text && endsLinesWithReturns(*text)) std::replace(text->begin(), text->end(), '\r', '\n');
    return text;
}

/// Without the byte order mark of UTF-8.
std::string_view withoutMark(std::string_view bytes) {
    constexpr std::string_view kMark = "\xef\xbb\xbf";
    return bytes.starts_with(kMark) ? bytes.substr(kMark.size()) : bytes;
}

}  // namespace

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

PlainText::PlainText(std::string_view bytes)
    : converted_(converted(bytes)), text_(withoutMark(converted_ ? *converted_ : bytes)) {}

}  // namespace threefold
