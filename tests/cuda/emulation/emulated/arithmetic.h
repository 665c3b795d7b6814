#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

/// CUDA's arithmetic intrinsics: explicit rounding, conversion between bits and numbers, bit
/// counts, min and max.

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): CUDA's names
#define THREEFOLD_MIN_MAX(Type)          \
    constexpr Type min(Type a, Type b) { \
        return b < a ? b : a;            \
    }                                    \
    constexpr Type max(Type a, Type b) { \
        return a < b ? b : a;            \
    }
THREEFOLD_MIN_MAX(int)
THREEFOLD_MIN_MAX(unsigned)
THREEFOLD_MIN_MAX(unsigned long)
#undef THREEFOLD_MIN_MAX
#define THREEFOLD_FUNCTION(Result, name, parameters, expression) \
    inline Result name parameters {                              \
        return expression;                                       \
    }
// CUDA's min and max of a number and NaN are the number.
THREEFOLD_FUNCTION(float, min, (float a, float b), std::fmin(a, b))
THREEFOLD_FUNCTION(float, max, (float a, float b), std::fmax(a, b))
THREEFOLD_FUNCTION(double, min, (double a, double b), std::fmin(a, b))
THREEFOLD_FUNCTION(double, max, (double a, double b), std::fmax(a, b))
THREEFOLD_FUNCTION(float, __fadd_rn, (float a, float b), a + b)
THREEFOLD_FUNCTION(float, __fmul_rn, (float a, float b), (a * b))
THREEFOLD_FUNCTION(float, __fdiv_rn, (float a, float b), a / b)
THREEFOLD_FUNCTION(double, __dadd_rn, (double a, double b), a + b)
THREEFOLD_FUNCTION(double, __dsub_rn, (double a, double b), a - b)
THREEFOLD_FUNCTION(double, __dmul_rn, (double a, double b), (a * b))
THREEFOLD_FUNCTION(double, __ddiv_rn, (double a, double b), a / b)

namespace threefold::cuda::emulation {
/// Converts as the device does: values out of range saturate and NaN becomes 0. A C++ conversion
/// would be undefined behaviour.
constexpr int toInt(float rounded) {
    if (rounded != rounded) return 0;
    if (rounded >= 2147483648.0F) return INT32_MAX;
    if (rounded < -2147483648.0F) return INT32_MIN;
    return static_cast<int>(rounded);
}
}  // namespace threefold::cuda::emulation

THREEFOLD_FUNCTION(int, __float2int_rn, (float x),
                   threefold::cuda::emulation::toInt(std::nearbyint(x)))
THREEFOLD_FUNCTION(float, __double2float_rn, (double x), static_cast<float>(x))
THREEFOLD_FUNCTION(unsigned, __float_as_uint, (float x), std::bit_cast<unsigned>(x))
THREEFOLD_FUNCTION(float, __uint_as_float, (unsigned x), std::bit_cast<float>(x))
THREEFOLD_FUNCTION(int, __popc, (unsigned x), std::popcount(x))
/// Position of the lowest set bit, counted from 1; 0 if no bit is set.
THREEFOLD_FUNCTION(int, __ffs, (int x), x == 0 ? 0 : std::countr_zero(static_cast<unsigned>(x)) + 1)
#undef THREEFOLD_FUNCTION
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
