#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace threefold {

/// Lower-case hexadecimal SHA-256 (FIPS 180-4) of the bytes: 64 characters.
std::string sha256(std::span<const std::byte> bytes);

}  // namespace threefold
