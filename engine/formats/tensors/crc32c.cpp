#include "engine/formats/tensors/crc32c.h"

#include <array>

namespace threefold {
namespace {

/// Lookup table of CRC-32C: remainder of each byte value, without the inversions.
constexpr std::array<std::uint32_t, 256> kCrcOfByte = [] {
    constexpr std::uint32_t kPolynomial = 0x82f63b78U;  // reflected
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
        table[byte] = byte;
        for (int bit = 0; bit < 8; ++bit)
            table[byte] = (table[byte] >> 1) ^ ((table[byte] & 1U) != 0 ? kPolynomial : 0U);
    }
    return table;
}();

}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes) {
    std::uint32_t state = ~0U;
    for (const std::byte byte : bytes)
        state = (state >> 8) ^ kCrcOfByte[(state ^ std::to_integer<std::uint32_t>(byte)) & 0xffU];
    return ~state;
}

}  // namespace threefold
