#pragma once

#include <cstdint>

namespace threefold {

/// IEEE 754 binary16 bits to the float of the same value: exact, subnormals and NaN included.
float halfToFloat(std::uint16_t bits);

/// bfloat16 bits to the float of the same value: exact.
float bfloat16ToFloat(std::uint16_t bits);

}  // namespace threefold
