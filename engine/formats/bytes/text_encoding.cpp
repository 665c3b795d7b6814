#include "engine/formats/bytes/text_encoding.h"

#include <algorithm>

#include <openssl/evp.h>

#include "engine/formats/bytes/byte_cursor.h"

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

constexpr std::string_view kScheme = "data:";

int hexDigit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/// Both alphabets: the usual one, and that for addresses.
int base64Digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+' || c == '-') return 62;
    if (c == '/' || c == '_') return 63;
    return -1;
}

std::optional<std::vector<std::byte>> decodeBase64(std::string_view text) {
    while (text.ends_with('=')) text.remove_suffix(1);
    std::vector<std::byte> bytes;
    bytes.reserve(text.size() / 4 * 3 + 2);
    std::uint32_t held = 0;
    int bits = 0;
    for (const char c : text) {
        const int digit = base64Digit(c);
        if (digit < 0) return std::nullopt;
        held = (held << 6U | static_cast<std::uint32_t>(digit)) & 0xffffU;
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes.push_back(static_cast<std::byte>(held >> static_cast<unsigned>(bits) & 0xffU));
    }
    if (bits == 6) return std::nullopt;  // a digit alone
    return bytes;
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
    std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');  // OpenSSL ends it with a zero
    const auto* from = reinterpret_cast<const unsigned char*>(bytes.data());
    text.resize(static_cast<std::size_t>(EVP_EncodeBlock(
        reinterpret_cast<unsigned char*>(text.data()), from, static_cast<int>(bytes.size()))));
    return text;
}

std::string decodePercents(std::string_view uri) {
    std::string plain;
    plain.reserve(uri.size());
    for (std::size_t at = 0; at < uri.size(); ++at) {
        const bool code = uri[at] == '%' && at + 2 < uri.size() && hexDigit(uri[at + 1]) >= 0 &&
                          hexDigit(uri[at + 2]) >= 0;
        if (!code) {
            plain += uri[at];
            continue;
        }
        plain += static_cast<char>(hexDigit(uri[at + 1]) * 16 + hexDigit(uri[at + 2]));
        at += 2;
    }
    return plain;
}

}  // namespace threefold
