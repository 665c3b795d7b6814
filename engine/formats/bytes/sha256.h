#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace threefold {

/// Lower-case hexadecimal SHA-256 of the bytes, 64 characters, computed by OpenSSL. Throws
/// DeviceError where the system's OpenSSL is configured not to offer it. Any thread.
std::string sha256(std::span<const std::byte> bytes);

}  // namespace threefold
