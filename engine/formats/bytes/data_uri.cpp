#include "engine/formats/bytes/data_uri.h"

#include <cstdint>

#include "engine/formats/bytes/byte_cursor.h"

namespace threefold {
namespace {

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
