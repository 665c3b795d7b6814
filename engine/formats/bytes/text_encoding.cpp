#include "engine/formats/bytes/text_encoding.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/text.h"

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
    // ASCII halves in size, other text grows by half at most. Reserved at once, as growing would
    // hold two copies.
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

/// The text in UTF-8 with '\n' at the ends of lines; none if `bytes` need no conversion.
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

constexpr std::string_view kScheme = "data:";

/// Decodes base64 of the standard or the URL-safe alphabet.
std::optional<std::vector<std::byte>> decodeBase64(std::string_view text) {
    while (text.ends_with('=')) text.remove_suffix(1);
    const std::size_t missing = (4 - text.size() % 4) % 4;
    // OpenSSL would skip blanks at the ends, and decode a further '=' as zero.
    if (missing == 3 || text.find_first_of("= \t\r\n") != text.npos) return std::nullopt;
    std::string digits(text);
    digits.append(missing, '=');
    std::ranges::replace(digits, '-', '+');
    std::ranges::replace(digits, '_', '/');
    std::vector<std::byte> bytes(digits.size() / 4 * 3);
    if (EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                        reinterpret_cast<const unsigned char*>(digits.data()),
                        static_cast<int>(digits.size())) < 0)
        return std::nullopt;
    bytes.resize(bytes.size() - missing);
    return bytes;
}

}  // namespace

std::string_view trimmed(std::string_view text, std::string_view blanks) {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

std::string_view textPrefix(std::string_view text, std::size_t maxBytes) {
    if (text.size() <= maxBytes) return text;
    constexpr std::size_t kMaxFollowing = 3;  // bytes of a character after its first
    const auto follows = [&](std::size_t at) {
        return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
    };
    std::size_t end = maxBytes;
    while (end > 0 && maxBytes - end < kMaxFollowing && follows(end)) --end;
    // As many bytes in a row are no UTF-8.
    return text.substr(0, follows(end) ? maxBytes : end);
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

PlainText::PlainText(std::string_view bytes)
    : converted_(converted(bytes)), text_(withoutMark(converted_ ? *converted_ : bytes)) {}

bool isDataUri(std::string_view uri) {
    return uri.starts_with(kScheme);
}

std::optional<std::vector<std::byte>> decodeDataUri(std::string_view uri) {
    const std::size_t comma = uri.find(',');
    if (!isDataUri(uri) || comma == uri.npos) return std::nullopt;
    const std::string_view content = uri.substr(comma + 1);
    if (uri.substr(0, comma).ends_with(";base64")) return decodeBase64(content);
    const std::string plain = decodePercents(content);
    const auto bytes = asBytes(plain);
    return std::vector<std::byte>(bytes.begin(), bytes.end());
}

std::string encodeBase64(std::span<const std::byte> bytes) {
    std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');  // OpenSSL appends a zero
    constexpr std::size_t kBlock = std::size_t{3} << 28U;    // OpenSSL counts bytes in an int
    std::size_t length = 0;
    for (std::size_t begin = 0; begin < bytes.size(); begin += kBlock) {
        const auto block = bytes.subspan(begin, std::min(kBlock, bytes.size() - begin));
        length += static_cast<std::size_t>(EVP_EncodeBlock(
            reinterpret_cast<unsigned char*>(text.data()) + length,
            reinterpret_cast<const unsigned char*>(block.data()), static_cast<int>(block.size())));
    }
    text.resize(length);
    return text;
}

std::string decodePercents(std::string_view uri) {
    std::string plain;
    plain.reserve(uri.size());
    for (std::size_t i = 0; i < uri.size(); ++i) {
        unsigned char byte = 0;
        const char* digits = uri.data() + i + 1;
        const bool isCode = uri[i] == '%' && i + 2 < uri.size() &&
                            std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
        plain += isCode ? static_cast<char>(byte) : uri[i];
        if (isCode) i += 2;
    }
    return plain;
}

}  // namespace threefold
