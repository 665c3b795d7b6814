#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace threefold {

/// CRC-32C (Castagnoli), as iSCSI and TensorFlow use it.
std::uint32_t crc32c(std::span<const std::byte> bytes);

/// Masks a checksum as TensorFlow and LevelDB store it beside its bytes: rotated, with a constant
/// added, because a CRC over data that contains CRCs is weak.
constexpr std::uint32_t maskCrc32c(std::uint32_t checksum) {
    return ((checksum >> 15) | (checksum << 17)) + 0xa282ead8U;
}

}  // namespace threefold
