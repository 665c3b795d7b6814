#pragma once

#include <cstdint>

namespace threefold {

/// IEEE 754 binary16 bits to the float of the same value: exact, subnormals and NaN included.
float halfToFloat(std::uint16_t bits);

/// The nearest binary16, ties to the even one; infinite beyond 65504, NaN for NaN.
std::uint16_t floatToHalf(float value);

/// bfloat16 bits to the float of the same value: exact.
float bfloat16ToFloat(std::uint16_t bits);

}  // namespace threefold
