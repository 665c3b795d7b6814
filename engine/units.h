#pragma once

#include <cstdint>

namespace threefold {

inline constexpr std::uint64_t kBytesPerMebibyte = std::uint64_t{1} << 20;  ///< bytes
inline constexpr std::uint64_t kBytesPerGibibyte = std::uint64_t{1} << 30;  ///< bytes

}  // namespace threefold
