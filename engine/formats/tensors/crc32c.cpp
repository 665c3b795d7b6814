#include "engine/formats/tensors/crc32c.h"

#include <array>
#include <bit>
#include <cstring>

namespace threefold {
namespace {

constexpr std::size_t kSlices = 8;
constexpr std::uint32_t kPolynomial = 0x82f63b78U;  // reflected

using Tables = std::array<std::array<std::uint32_t, 256>, kSlices>;

/// Table k advances a byte by k further zero bytes: eight bytes are taken a step.
constexpr Tables makeTables() {
    Tables tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t value = byte;
        for (int bit = 0; bit < 8; ++bit)
            value = (value >> 1) ^ ((value & 1U) != 0 ? kPolynomial : 0U);
        tables[0][byte] = value;
    }
    for (std::size_t slice = 1; slice < kSlices; ++slice)
        for (std::size_t byte = 0; byte < 256; ++byte) {
            const std::uint32_t before = tables[slice - 1][byte];
            tables[slice][byte] = (before >> 8) ^ tables[0][before & 0xffU];
        }
    return tables;
}

constexpr Tables kTables = makeTables();
static_assert(std::endian::native == std::endian::little, "eight bytes are taken as one number");

}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes) {
    std::uint32_t state = ~0U;
    std::size_t i = 0;
    for (; i + kSlices <= bytes.size(); i += kSlices) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + i, kSlices);
        word ^= state;
        state = 0;
        for (std::size_t byte = 0; byte < kSlices; ++byte)
            state ^= kTables[kSlices - 1 - byte][(word >> (8 * byte)) & 0xffU];
    }
    for (; i < bytes.size(); ++i)
        state =
            (state >> 8) ^ kTables[0][(state ^ std::to_integer<std::uint32_t>(bytes[i])) & 0xffU];
    return ~state;
}

}  // namespace threefold
