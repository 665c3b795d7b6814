#include "engine/formats/text/text_encoding.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/utf8.h"

namespace threefold {
namespace {

std::string fromUtf16(std::string_view bytes, bool big) {
    constexpr std::uint32_t kReplacement = 0xfffd;
    const auto unit = [&](std::size_t i) -> std::uint32_t {
        const auto first = static_cast<std::uint8_t>(bytes[i]);
        const auto second = static_cast<std::uint8_t>(bytes[i + 1]);
        return big ? first * 256U + second : second * 256U + first;
    };
    std::string text;
    // Compared with UTF-16, UTF-8 takes half the bytes for ASCII, and at most 1.5 times the bytes
    // for other text. All memory is reserved at once, because a growing string exists twice while
    // it is copied.
    text.reserve(bytes.size() + bytes.size() / 2 + 4);
    std::size_t i = 0;
    for (; i + 1 < bytes.size(); i += 2) {
        std::uint32_t code = unit(i);
        if (code >= 0xd800 && code < 0xe000) {
            const bool pair = code < 0xdc00 && i + 3 < bytes.size() && unit(i + 2) >= 0xdc00 &&
                              unit(i + 2) < 0xe000;
            if (pair) {
                code = 0x10000 + ((code - 0xd800) << 10U) + (unit(i + 2) - 0xdc00);
                i += 2;
            } else {
                code = kReplacement;
            }
        }
        appendUtf8(text, code);
    }
    if (i < bytes.size()) appendUtf8(text, kReplacement);
    return text;
}

bool endsLinesWithReturns(std::string_view text) {
    return text.find('\n') == text.npos && text.find('\r') != text.npos;
}

/// The text in UTF-8 with '\n' at the ends of lines; nullopt if `bytes` need no conversion.
std::optional<std::string> converted(std::string_view bytes) {
    const bool little = bytes.starts_with("\xff\xfe");
    const bool big = bytes.starts_with("\xfe\xff");
    std::optional<std::string> text;
    if (little || big) text = fromUtf16(bytes.substr(2), big);
    if (!text && endsLinesWithReturns(bytes)) text = std::string(bytes);
    if (text && endsLinesWithReturns(*text)) std::replace(text->begin(), text->end(), '\r', '\n');
    return text;
}

/// `bytes` without the byte order mark of UTF-8.
std::string_view withoutMark(std::string_view bytes) {
    constexpr std::string_view kMark = "\xef\xbb\xbf";
    return bytes.starts_with(kMark) ? bytes.substr(kMark.size()) : bytes;
}

}  // namespace

std::string_view trimmed(std::string_view text, std::string_view blanks) {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

std::string shortened(std::string_view text) {
    constexpr std::size_t kMaxBytes = 200;
    if (text.size() <= kMaxBytes) return std::string(text);
    return fmt::format("{}… ({} bytes)", textPrefix(text, kMaxBytes), text.size());
}

std::string lowered(std::string_view text) {
    std::string low(text);
    for (char& c : low)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return low;
}

Utf8Text::Utf8Text(std::string_view bytes)
    : converted_(converted(bytes)), text_(withoutMark(converted_ ? *converted_ : bytes)) {}

}  // namespace threefold
