#pragma once

#include <cstdint>

namespace threefold {

/// Numbers of the glTF 2.0 specification that reader and writer share.
inline constexpr std::uint32_t kGlbMagic = 0x46546c67;   ///< "glTF"
inline constexpr std::uint32_t kGlbJson = 0x4e4f534a;    ///< "JSON"
inline constexpr std::uint32_t kGlbBinary = 0x004e4942;  ///< "BIN\0"

inline constexpr int kGlbByte = 5120;
inline constexpr int kGlbUnsignedByte = 5121;
inline constexpr int kGlbShort = 5122;
inline constexpr int kGlbUnsignedShort = 5123;
inline constexpr int kGlbUnsignedInt = 5125;
inline constexpr int kGlbFloat = 5126;

}  // namespace threefold
