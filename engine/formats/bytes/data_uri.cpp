#include "engine/formats/bytes/data_uri.h"

#include <algorithm>
#include <charconv>

#include <openssl/evp.h>

#include "engine/formats/bytes/byte_cursor.h"

namespace threefold {
namespace {

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
