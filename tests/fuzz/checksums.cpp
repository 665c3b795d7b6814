#include "tests/fuzz/checksums.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include <zlib.h>

namespace threefold::test {
namespace {

using Bytes = std::span<std::uint8_t>;

std::uint32_t bigAt(Bytes bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | bytes[at + i];
    return value;
}

std::uint32_t littleAt(Bytes bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;) value = value << 8 | bytes[at + i];
    return value;
}

void setLittle(Bytes bytes, std::size_t at, std::uint32_t value) {
    for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
}

std::uint32_t sumOf(Bytes bytes) {
    return static_cast<std::uint32_t>(crc32(0, bytes.data(), static_cast<unsigned>(bytes.size())));
}

void repairPng(Bytes bytes) {
    constexpr std::size_t kSignature = 8;
    constexpr std::size_t kFrame = 12;
    for (std::size_t at = kSignature; at + kFrame <= bytes.size();) {
        const std::size_t length = bigAt(bytes, at);
        if (length > bytes.size() - at - kFrame) return;
        const std::uint32_t sum = sumOf(bytes.subspan(at + 4, length + 4));
        for (std::size_t i = 0; i < 4; ++i)
            bytes[at + 8 + length + i] = static_cast<std::uint8_t>(sum >> (24 - 8 * i));
        at += length + kFrame;
    }
}

/// Both headers of each entry that the table of contents names.
void repairZip(Bytes bytes) {
    constexpr std::size_t kCentral = 46;
    constexpr std::size_t kLocal = 30;
    constexpr std::uint8_t kMark[] = {'P', 'K', 1, 2};
    for (auto at = bytes.begin();; ++at) {
        at = std::search(at, bytes.end(), std::begin(kMark), std::end(kMark));
        const Bytes entry(at, bytes.end());
        if (entry.size() < kCentral) return;
        const bool stored = entry[10] == 0 && entry[11] == 0;
        const std::size_t size = littleAt(entry, 20);
        const std::size_t header = littleAt(entry, 42);
        if (!stored || header > bytes.size() || bytes.size() - header < kLocal) continue;
        const std::size_t data = kLocal + bytes[header + 26] + bytes[header + 28] +
                                 256U * (bytes[header + 27] + bytes[header + 29]);
        if (data > bytes.size() - header || size > bytes.size() - header - data) continue;
        const std::uint32_t sum = sumOf(bytes.subspan(header + data, size));
        setLittle(entry, 16, sum);
        setLittle(bytes, header + 14, sum);
    }
}

}  // namespace

bool repairChecksums(std::string_view target, std::span<std::uint8_t> bytes) {
    if (target == "png") {
        repairPng(bytes);
    } else if (target == "npz") {
        repairZip(bytes);
    } else {
        return false;
    }
    return true;
}

}  // namespace threefold::test
